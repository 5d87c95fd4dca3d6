-- Links between patients, the groups they make, what of both was before, and notifications of the WM service.

CREATE TABLE "link" (
    "secondary_id" BIGINT NOT NULL,
    "primary_id" BIGINT NOT NULL,
    "linked_at" TIMESTAMP(3) NOT NULL,
    "deactivated" BOOLEAN NOT NULL,
    CONSTRAINT "link_pkey" PRIMARY KEY ("secondary_id")
);

CREATE TABLE "link_group" (
    "root_id" BIGINT NOT NULL,
    "member_id" BIGINT NOT NULL,
    "primary_id" BIGINT NOT NULL,
    "linked_at" TIMESTAMP(3) NOT NULL,
    "joined_at" TIMESTAMP(3) NOT NULL,
    CONSTRAINT "link_group_pkey" PRIMARY KEY ("root_id", "member_id")
);

CREATE TABLE "link_history" (
    "secondary_id" BIGINT NOT NULL,
    "primary_id" BIGINT NOT NULL,
    "linked_at" TIMESTAMP(3) NOT NULL,
    "unlinked_at" TIMESTAMP(3) NOT NULL,
    CONSTRAINT "link_history_pkey" PRIMARY KEY ("secondary_id", "linked_at")
);

CREATE TABLE "link_group_history" (
    "root_id" BIGINT NOT NULL,
    "member_id" BIGINT NOT NULL,
    "primary_id" BIGINT NOT NULL,
    "linked_at" TIMESTAMP(3) NOT NULL,
    "joined_at" TIMESTAMP(3) NOT NULL,
    "left_at" TIMESTAMP(3) NOT NULL,
    CONSTRAINT "link_group_history_pkey" PRIMARY KEY ("root_id", "member_id", "joined_at")
);

-- A notification is tried again until it is delivered; a change is published once.
ALTER TABLE "outbox" ADD COLUMN "payload" TEXT;
ALTER TABLE "outbox" ADD COLUMN "attempts" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "outbox" ADD COLUMN "due_at" TIMESTAMP(3);

ALTER TABLE "lease" ADD COLUMN "holder" TEXT;
ALTER TABLE "lease" ADD COLUMN "held_until" TIMESTAMP(3);
INSERT INTO "lease" ("name") VALUES ('wm');
