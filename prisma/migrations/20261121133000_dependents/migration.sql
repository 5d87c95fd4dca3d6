-- Contact persons and observations of patients, their versions, and their changes in the outbox and the feed.

ALTER TABLE "patient" ADD COLUMN "last_dependent" INTEGER NOT NULL DEFAULT 0;

CREATE TABLE "related_person" (
    "patient_id" BIGINT NOT NULL,
    "n" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "updated_at" TIMESTAMP(3) NOT NULL,
    "document" BYTEA,
    CONSTRAINT "related_person_pkey" PRIMARY KEY ("patient_id", "n")
);

CREATE TABLE "related_person_history" (
    "patient_id" BIGINT NOT NULL,
    "n" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "updated_at" TIMESTAMP(3) NOT NULL,
    "document" BYTEA,
    CONSTRAINT "related_person_history_pkey" PRIMARY KEY ("patient_id", "n", "version")
);

CREATE TABLE "observation" (
    "patient_id" BIGINT NOT NULL,
    "n" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "updated_at" TIMESTAMP(3) NOT NULL,
    "document" BYTEA,
    CONSTRAINT "observation_pkey" PRIMARY KEY ("patient_id", "n")
);

CREATE TABLE "observation_history" (
    "patient_id" BIGINT NOT NULL,
    "n" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "updated_at" TIMESTAMP(3) NOT NULL,
    "document" BYTEA,
    CONSTRAINT "observation_history_pkey" PRIMARY KEY ("patient_id", "n", "version")
);

-- What was written so far were patients.
ALTER TABLE "outbox" ADD COLUMN "resource_type" TEXT NOT NULL DEFAULT 'Patient';
ALTER TABLE "outbox" ADD COLUMN "dependent" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "outbox" ALTER COLUMN "resource_type" DROP DEFAULT;
ALTER TABLE "outbox" ALTER COLUMN "dependent" DROP DEFAULT;

ALTER TABLE "feed" ADD COLUMN "resource_type" TEXT NOT NULL DEFAULT 'Patient';
ALTER TABLE "feed" ADD COLUMN "dependent" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "feed" ALTER COLUMN "resource_type" DROP DEFAULT;
ALTER TABLE "feed" ALTER COLUMN "dependent" DROP DEFAULT;
ALTER TABLE "feed" DROP CONSTRAINT "feed_pkey";
ALTER TABLE "feed" ADD CONSTRAINT "feed_pkey" PRIMARY KEY ("resource_type", "position");
DROP INDEX "feed_published_at_idx";
CREATE INDEX "feed_resource_type_published_at_idx" ON "feed" ("resource_type", "published_at");
