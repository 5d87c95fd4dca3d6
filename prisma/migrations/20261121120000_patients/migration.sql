-- Patients, their versions, their identifiers (sealed and blind), the outbox and the change feed.

-- Ids come in blocks from here; it orders nothing and has holes.
CREATE SEQUENCE "patient_id" AS BIGINT;

CREATE TABLE "patient" (
    "id" BIGINT NOT NULL,
    "version" INTEGER NOT NULL,
    "updated_at" TIMESTAMP(3) NOT NULL,
    "root_id" BIGINT,
    "active" BOOLEAN,
    "birth_from" DATE,
    "birth_to" DATE,
    "deceased" BOOLEAN NOT NULL,
    "deceased_at" TIMESTAMP(3),
    "last_event" INTEGER NOT NULL,
    "document" BYTEA NOT NULL,
    CONSTRAINT "patient_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "patient_updated_at_idx" ON "patient" ("updated_at");

CREATE TABLE "patient_history" (
    "id" BIGINT NOT NULL,
    "version" INTEGER NOT NULL,
    "updated_at" TIMESTAMP(3) NOT NULL,
    "root_id" BIGINT,
    "document" BYTEA NOT NULL,
    CONSTRAINT "patient_history_pkey" PRIMARY KEY ("id", "version")
);

CREATE TABLE "identifier_value" (
    "patient_id" BIGINT NOT NULL,
    "n" INTEGER NOT NULL,
    "owner" BIGINT NOT NULL,
    "country" TEXT,
    "type" TEXT,
    "key_id" TEXT NOT NULL,
    "value_hmac" BYTEA NOT NULL,
    "ciphertext" BYTEA NOT NULL,
    "period_end" TIMESTAMP(3),
    CONSTRAINT "identifier_value_pkey" PRIMARY KEY ("patient_id", "n")
);

CREATE TABLE "identifier" (
    "value_hmac" BYTEA NOT NULL,
    "country" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "patient_id" BIGINT NOT NULL,
    "period_end" TIMESTAMP(3),
    CONSTRAINT "identifier_pkey" PRIMARY KEY ("value_hmac", "country", "type")
);

CREATE TABLE "outbox" (
    "patient_id" BIGINT NOT NULL,
    "n" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    CONSTRAINT "outbox_pkey" PRIMARY KEY ("patient_id", "n")
);

CREATE TABLE "feed" (
    "position" BIGINT NOT NULL,
    "published_at" TIMESTAMP(3) NOT NULL,
    "patient_id" BIGINT NOT NULL,
    "version" INTEGER NOT NULL,
    CONSTRAINT "feed_pkey" PRIMARY KEY ("position")
);
CREATE INDEX "feed_published_at_idx" ON "feed" ("published_at");

CREATE TABLE "lease" (
    "name" TEXT NOT NULL,
    CONSTRAINT "lease_pkey" PRIMARY KEY ("name")
);
INSERT INTO "lease" ("name") VALUES ('feed');

CREATE TABLE "index_key" (
    "key_id" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "created_at" TIMESTAMP(3) NOT NULL,
    CONSTRAINT "index_key_pkey" PRIMARY KEY ("key_id")
);
