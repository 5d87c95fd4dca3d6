-- Questions that a register is being asked, so that several replicas ask it once. Distributed by person_hmac.
CREATE TABLE "register_question" (
    "person_hmac" BYTEA NOT NULL,
    "query" TEXT NOT NULL,
    "holder" TEXT NOT NULL,
    "held_until" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "register_question_pkey" PRIMARY KEY ("person_hmac", "query")
);
