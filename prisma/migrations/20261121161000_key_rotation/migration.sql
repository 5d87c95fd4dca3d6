-- The processes that use the index, each with the states of the keys that it acts on: a rotation waits for them.
CREATE TABLE "index_key_user" (
    "process_id" TEXT NOT NULL,
    "acts_on" TEXT NOT NULL,
    "seen_at" TIMESTAMP(3) NOT NULL,
    CONSTRAINT "index_key_user_pkey" PRIMARY KEY ("process_id")
);

-- Locked by whoever changes the state of a key.
INSERT INTO "lease" ("name") VALUES ('index-keys');
