-- A run in progress that waits for a system that is away (G8). It has no process until `next_try_at`, then one asks again.
alter table runs
  add column waiting_for text check (waiting_for in ('source', 'destination', 'quota', 'database')),
  -- Hash of the store; null for the database.
  add column waiting_store text,
  add column waiting_since timestamptz,
  -- Tries in vain since then: the pause between them grows.
  add column waiting_tries integer not null default 0,
  add column next_try_at timestamptz;
