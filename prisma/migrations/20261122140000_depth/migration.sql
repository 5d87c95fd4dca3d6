-- What grows with one patient is looked up by indexes, and not gone through.

-- The version that a patient had at some time: of a member, when the primary that shows it is read.
CREATE INDEX "patient_history_id_updated_at_version_idx" ON "patient_history" ("id", "updated_at", "version");

-- Those who left a group since some time: a read of the primary meets none.
CREATE INDEX "link_group_history_root_id_left_at_idx" ON "link_group_history" ("root_id", "left_at");

-- The first of the many changes that were published at one time.
DROP INDEX "feed_resource_type_published_at_idx";
CREATE INDEX "feed_resource_type_published_at_position_idx" ON "feed" ("resource_type", "published_at", "position");

-- What is to be published, however much waits beside it for those who are told of it.
CREATE INDEX "outbox_change_idx" ON "outbox" ("at", "patient_id", "n") WHERE "kind" = 'change';
