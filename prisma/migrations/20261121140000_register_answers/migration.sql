-- Answers of registers that are kept for a time, for all replicas of an adapter.

CREATE TABLE "register_answer" (
    "person_hmac" BYTEA NOT NULL,
    "query" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "ciphertext" BYTEA NOT NULL,
    "kept_until" TIMESTAMP(3) NOT NULL,
    CONSTRAINT "register_answer_pkey" PRIMARY KEY ("person_hmac", "query")
);
CREATE INDEX "register_answer_kept_until_idx" ON "register_answer" ("kept_until");

-- Who tells the population register of contact data that clients have changed.
INSERT INTO "lease" ("name") VALUES ('contact-data');
