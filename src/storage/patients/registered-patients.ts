import type { RegisteredPatients } from "../../patients/ports.ts";
import type { Database } from "../connection/database.ts";

/** Patients with an Estonian personal code, in the order of the key that their identifiers lie by. */
export function registeredPatients(database: Database): RegisteredPatients {
  return {
    async count() {
      const [row] = await database.$queryRaw<{ count: bigint }[]>`
        SELECT count(DISTINCT patient_id) AS count FROM identifier_value
        WHERE country = 'est' AND type = 'ni' AND owner = patient_id`;
      return Number(row?.count ?? 0);
    },
    async after(id, limit) {
      const rows = await database.$queryRaw<{ id: bigint }[]>`
        SELECT DISTINCT patient_id AS id FROM identifier_value
        WHERE patient_id > ${id} AND country = 'est' AND type = 'ni' AND owner = patient_id
        ORDER BY patient_id LIMIT ${limit}`;
      return rows.map((row) => row.id);
    },
  };
}
