-- What tells a key from another one of the same id. Rows that are there get theirs at the next start, from a key that
-- opens what is stored.
ALTER TABLE "index_key" ADD COLUMN "check_ciphertext" BYTEA, ADD COLUMN "check_hmac" BYTEA;
