-- The functions of SQLite that statements call.  The schema is that of the search path.

CREATE FUNCTION json_extract(data TEXT, path TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE AS
$$ SELECT CAST(data AS JSON) #>> string_to_array(substr(path, 3), '.') $$;
CREATE FUNCTION json_each(data TEXT, path TEXT) RETURNS TABLE (value TEXT) LANGUAGE sql IMMUTABLE AS
$$ SELECT json_array_elements_text(CAST(data AS JSON) #> string_to_array(substr(path, 3), '.')) $$;
-- Of the patterns that a question may bring: names with * and ?, and ranges.
CREATE FUNCTION glob(pattern TEXT, name TEXT) RETURNS BOOLEAN LANGUAGE sql IMMUTABLE AS
$$ SELECT name ~ ('^' || replace(replace(replace(pattern, '.', '\.'), '*', '.*'), '?', '.') || '$') $$;
