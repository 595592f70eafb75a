-- What became of a reply, told apart: 0 planned, 1 sending, 2 sent, 3 unknown, 4 refused (surely not there, and it
-- never will be).  The text of an unknown reply stays until it was shown again or some days have passed.
-- An offer to show unknown replies again is a delivery, too.

ALTER TABLE deliveries ADD COLUMN ended_at REAL;      -- when the outcome became known, or known to be unknown
ALTER TABLE deliveries ADD COLUMN doubt INTEGER;      -- of an unknown reply: the oldest one that is offered with it
ALTER TABLE deliveries ADD COLUMN offers INTEGER;     -- of an offer: that reply
ALTER TABLE deliveries ADD COLUMN shown_at REAL;      -- when it was asked for and shown again

UPDATE deliveries SET state = 4, text = '', buttons = '[]' WHERE state = 3 AND reason LIKE 'Telegram refuses%';

CREATE INDEX deliveries_doubt ON deliveries (doubt) WHERE doubt IS NOT NULL;
CREATE INDEX deliveries_offers ON deliveries (offers) WHERE offers IS NOT NULL;
