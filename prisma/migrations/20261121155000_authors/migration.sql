-- Who made a version, and why: sealed, since it names a person. Null for versions from before, and for loaded ones.
ALTER TABLE "patient_history" ADD COLUMN "author_key_id" TEXT, ADD COLUMN "author" BYTEA;
ALTER TABLE "related_person_history" ADD COLUMN "author_key_id" TEXT, ADD COLUMN "author" BYTEA;
ALTER TABLE "observation_history" ADD COLUMN "author_key_id" TEXT, ADD COLUMN "author" BYTEA;
