-- What an edit has replaced goes with what replaced it.
CREATE INDEX exchanges_replaced ON exchanges (replaced_by) WHERE replaced_by IS NOT NULL;
