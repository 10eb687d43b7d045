-- What the indexer has tried. Rows may be committed in another order than their ids, so a handled row is deleted and no position kept.
alter table outbox
  add column attempts integer not null default 0,
  add column next_try_at timestamptz not null default now(),
  -- The name of the last error, never its message, which may quote what a store said.
  add column last_error text,
  -- Given up, until the index is filled again.
  add column dead_at timestamptz;
create index outbox_to_do on outbox (next_try_at, id) where dead_at is null;
create index outbox_by_subject on outbox (organisation_id, subject_id);

create view outbox_dead_letters as
  select id, kind, organisation_id, subject_id, revision, at, attempts, last_error, dead_at from outbox
  where dead_at is not null;
