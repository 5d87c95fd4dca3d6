import { onServer } from "../on-server.ts";

/**
 * The next transaction that adds rows to a table ends as the victim of a deadlock, met by its last statement: of a real
 * one the server chooses the victim by who has waited how long.
 */
export async function makeVictimOnce(databaseUrl: string, table: "link" | "name_variant"): Promise<void> {
  await onServer(databaseUrl, (client) =>
    client.query(`CREATE SEQUENCE victims;
      CREATE FUNCTION deadlock_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('victims') = 1 THEN RAISE EXCEPTION 'deadlock' USING ERRCODE = 'deadlock_detected'; END IF;
        RETURN NULL;
      END $$;
      CREATE CONSTRAINT TRIGGER victim AFTER INSERT ON ${table} DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION deadlock_once()`),
  );
}

/** Whether there has been one, and it was tried again. */
export async function hadVictim(databaseUrl: string): Promise<boolean> {
  return await onServer(databaseUrl, async (client) => {
    const { rows } = await client.query("SELECT last_value > 1 AS tried_again FROM victims");
    return rows[0].tried_again;
  });
}
