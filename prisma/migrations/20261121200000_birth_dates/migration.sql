-- Searches by birth date alone.
CREATE INDEX "patient_birth_from_idx" ON "patient" ("birth_from");
