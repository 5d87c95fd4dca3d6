-- The audit trail: chains of entries that are only ever added to.

-- Lanes of processes come from here, as negative stream ids; the stream of a patient's writes has the patient's id.
CREATE SEQUENCE "audit_lane" AS BIGINT;

CREATE TABLE "audit_stream" (
    "stream_id" BIGINT NOT NULL,
    "n" BIGINT NOT NULL,
    "hash" BYTEA NOT NULL,
    CONSTRAINT "audit_stream_pkey" PRIMARY KEY ("stream_id")
);

CREATE TABLE "audit_event" (
    "stream_id" BIGINT NOT NULL,
    "n" BIGINT NOT NULL,
    "recorded_at" TIMESTAMP(3) NOT NULL,
    "patient_id" BIGINT,
    "key_id" TEXT NOT NULL,
    "content" BYTEA NOT NULL,
    "digest" BYTEA NOT NULL,
    "hash" BYTEA NOT NULL,
    CONSTRAINT "audit_event_pkey" PRIMARY KEY ("stream_id", "n")
);
CREATE INDEX "audit_event_patient_id_recorded_at_idx" ON "audit_event" ("patient_id", "recorded_at");

-- The keys that entries are sealed with, themselves sealed with a key of the index: that one can change, entries cannot.
CREATE TABLE "audit_key" (
    "key_id" TEXT NOT NULL,
    "sealed_by" TEXT NOT NULL,
    "ciphertext" BYTEA NOT NULL,
    "created_at" TIMESTAMP(3) NOT NULL,
    CONSTRAINT "audit_key_pkey" PRIMARY KEY ("key_id")
);

-- Append-only for everybody, the owner too; superusers are beyond rights, so the service must not run as one.
REVOKE UPDATE, DELETE, TRUNCATE ON "audit_event" FROM PUBLIC, CURRENT_USER;
REVOKE DELETE, TRUNCATE ON "audit_stream" FROM PUBLIC, CURRENT_USER;
REVOKE DELETE, TRUNCATE ON "audit_key" FROM PUBLIC, CURRENT_USER;
