-- Distributes the tables over a cluster (Citus), once the migrations have run on its coordinator, by whoever owns them:
--   psql "$DATABASE_URL" -v ON_ERROR_STOP=1 -f prisma/distribute.sql
-- Safe to run again, after each migration: what is distributed stays as it is. A table that has no line here is refused.
-- docs/storage.md says what the columns mean. Nothing on one server needs this file.
DO $distribute$
DECLARE
  planned record;
  missing text;
BEGIN
  IF to_regclass('pg_dist_partition') IS NULL THEN
    RAISE EXCEPTION 'This database has no extension citus.';
  END IF;

  CREATE TEMPORARY TABLE plan (position serial, name text, by_column text, beside text) ON COMMIT DROP;
  INSERT INTO plan (name, by_column, beside) VALUES
    -- With the patient whom they are of.
    ('patient', 'id', 'none'),
    ('patient_history', 'id', 'patient'),
    ('identifier_value', 'patient_id', 'patient'),
    ('related_person', 'patient_id', 'patient'),
    ('related_person_history', 'patient_id', 'patient'),
    ('observation', 'patient_id', 'patient'),
    ('observation_history', 'patient_id', 'patient'),
    ('link', 'secondary_id', 'patient'),
    ('link_history', 'secondary_id', 'patient'),
    ('link_group', 'root_id', 'patient'),
    ('link_group_history', 'root_id', 'patient'),
    ('outbox', 'patient_id', 'patient'),
    ('possible_duplicate', 'patient_id', 'patient'),
    ('audit_stream', 'stream_id', 'patient'),
    ('audit_event', 'stream_id', 'patient'),
    -- Found by a hash.
    ('identifier', 'value_hmac', 'none'),
    ('block_key', 'key', 'none'),
    ('name_variant', 'variant', 'none'),
    ('register_answer', 'person_hmac', 'none'),
    ('register_question', 'person_hmac', 'register_answer'),
    -- In one place: on the coordinator.
    ('feed', NULL, NULL),
    ('lease', NULL, NULL),
    ('index_key', NULL, NULL),
    ('index_key_user', NULL, NULL),
    ('audit_key', NULL, NULL),
    ('block_key_backfill', NULL, NULL),
    ('job', NULL, NULL),
    ('_prisma_migrations', NULL, NULL);

  SELECT string_agg(relname, ', ' ORDER BY relname) INTO missing
  FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
    AND relname NOT IN (SELECT name FROM plan);
  IF missing IS NOT NULL THEN
    RAISE EXCEPTION 'prisma/distribute.sql has no line for: %', missing;
  END IF;

  FOR planned IN SELECT name, by_column, beside FROM plan WHERE by_column IS NOT NULL ORDER BY position LOOP
    IF NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrel = planned.name::regclass) THEN
      PERFORM create_distributed_table(planned.name::regclass, planned.by_column, colocate_with => planned.beside);
    END IF;
  END LOOP;
END
$distribute$;
