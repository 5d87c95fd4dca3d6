-- Background jobs: what is asked for, how far it is, and who does it. The queue that hands them out is the job
-- library's, in a schema of its own that the library makes.

CREATE TABLE "job" (
    "type" TEXT NOT NULL,
    "n" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "message_id" UUID NOT NULL,
    "started_by" TEXT,
    "created_at" TIMESTAMP(3) NOT NULL,
    "began_at" TIMESTAMP(3),
    "ended_at" TIMESTAMP(3),
    "changed_at" TIMESTAMP(3) NOT NULL,
    "done" BIGINT NOT NULL DEFAULT 0,
    "total" BIGINT,
    "checkpoint" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "problems" BIGINT NOT NULL DEFAULT 0,
    "last_error" TEXT,
    "last_error_at" TIMESTAMP(3),
    "cancelling" BOOLEAN NOT NULL DEFAULT false,
    "holder" TEXT,
    "held_until" TIMESTAMP(3),
    CONSTRAINT "job_pkey" PRIMARY KEY ("type", "n")
);

-- What goes on as long as the service does has a row of its own, number 0 of its type.
INSERT INTO "job" ("type", "n", "state", "message_id", "created_at", "changed_at")
SELECT "type", 0, 'standing', gen_random_uuid(), "at", "at"
FROM (VALUES ('deliver-notifications'), ('purge-cache')) AS "standing" ("type"),
    (SELECT timezone('UTC', now())::timestamp(3) AS "at") AS "clock";

-- Who gives a new job its number.
INSERT INTO "lease" ("name") VALUES ('jobs');
