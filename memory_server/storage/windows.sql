
-- Vectors of what a chunk says beyond its model's window, as float16.  Their numbers follow from the chunk's:
-- chunk << 16 | place, the places from 1 on; the first window is the chunk's own vector.
CREATE TABLE vectors_windows (no INTEGER PRIMARY KEY, v BLOB NOT NULL);
