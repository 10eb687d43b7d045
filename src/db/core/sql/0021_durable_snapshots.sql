-- What a run that has ended answers, whatever becomes of what the engine kept of it (F3).
alter table snapshots
  -- json keeps the text, and so the order of keys, as live answers have it.
  alter column document type json using document::json,
  -- 1: the document alone, of runs that ended earlier. 2: every column.
  add column schema_version integer not null default 1,
  -- {label, settings, scope, verifies, plan, fallbackReason, failure}
  add column request json,
  -- {counts, pace}: what the document was computed from, for changes that come when the counters are gone.
  add column reading json,
  -- {issues, differences}: how many there are of each kind.
  add column findings json;
