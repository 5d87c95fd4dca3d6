-- Who is inactive or deceased is looked for among few, not among all.
CREATE INDEX "patient_inactive_idx" ON "patient"("id") WHERE NOT "active";
CREATE INDEX "patient_deceased_idx" ON "patient"("id") WHERE "deceased";
