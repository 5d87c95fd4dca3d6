-- What waits for others is read page by page; published changes are gone at once and need no index.
CREATE INDEX "outbox_waiting_idx" ON "outbox"("kind", "at", "patient_id", "n") WHERE "kind" <> 'change';
