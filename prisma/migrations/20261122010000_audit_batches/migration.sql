-- Entries that are written together have one sealed content, which stands with the first of them. Their place in it is
-- their distance to content_n. Null: the content is of the entry alone.
ALTER TABLE "audit_event" ADD COLUMN "content_n" BIGINT;
ALTER TABLE "audit_event" ALTER COLUMN "key_id" DROP NOT NULL;
ALTER TABLE "audit_event" ALTER COLUMN "content" DROP NOT NULL;
