-- What a run found out about its two stores before its first phase. Beside the run, so that whoever takes it over decides the
-- same and tells no finding twice.
create table preflights (
  run_id uuid primary key references runs (id) on delete cascade,
  -- Address below which the source serves the originals of its pictures; null: their reduced form is copied.
  originals text,
  at timestamptz not null default now()
);
