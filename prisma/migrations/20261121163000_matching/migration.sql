-- Matching: what records are compared by, names that come near to others, and what a scan found.

-- Who shares what with whom: a hash of something that records of one person mostly have in common.
CREATE TABLE "block_key" (
    "key" BIGINT NOT NULL,
    "patient_id" BIGINT NOT NULL,
    CONSTRAINT "block_key_pkey" PRIMARY KEY ("key", "patient_id")
);

-- Every name that a foreign patient bears, by what is left of it when letters are left out. Only ever added to.
CREATE TABLE "name_variant" (
    "variant" BIGINT NOT NULL,
    "form" TEXT NOT NULL,
    CONSTRAINT "name_variant_pkey" PRIMARY KEY ("variant", "form")
);

-- How far the patients that were there before have got their keys.
CREATE TABLE "block_key_backfill" (
    "scheme" INTEGER NOT NULL,
    "last_id" BIGINT NOT NULL,
    "finished_at" TIMESTAMP(3),
    CONSTRAINT "block_key_backfill_pkey" PRIMARY KEY ("scheme")
);
INSERT INTO "lease" ("name") VALUES ('block-keys');

-- Pairs of patients who may be one person, for a steward to decide on; patient_id is the lower one.
CREATE TABLE "possible_duplicate" (
    "patient_id" BIGINT NOT NULL,
    "other_id" BIGINT NOT NULL,
    "score" DOUBLE PRECISION NOT NULL,
    "grade" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "found_at" TIMESTAMP(3) NOT NULL,
    "reviewed_at" TIMESTAMP(3),
    CONSTRAINT "possible_duplicate_pkey" PRIMARY KEY ("patient_id", "other_id")
);
CREATE INDEX "possible_duplicate_state_idx" ON "possible_duplicate" ("state", "score" DESC, "patient_id", "other_id");
