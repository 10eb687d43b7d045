-- What update and replace need to stay harmless.

-- What stood at the destination before we overwrote or deleted it, written in the transaction of the intent (D6). Of an updated
-- item only the overwritten fields; of a pruned one everything. Kept beside the mappings, because it outlives the ledger.
create table before_images (
  organisation_id uuid not null,
  run_id uuid not null,
  component text not null,
  destination_id text not null,
  action text not null check (action in ('update', 'delete')),
  -- Null for personal and secret components: then it is in body_sealed, encrypted with the run's own key (S9).
  body jsonb,
  body_sealed bytea,
  at timestamptz not null default now(),
  primary key (run_id, component, destination_id, action),
  foreign key (organisation_id, run_id) references runs (organisation_id, id) on delete cascade,
  check ((body is null) <> (body_sealed is null))
);

-- The run's own key is made of the master key and this; without it nobody can read what was sealed (S9).
alter table runs add column before_image_salt bytea not null default sha256(gen_random_uuid()::text::bytea);

-- Keys of every source item a replace run met, whatever became of it: nothing that carries one is destination-only (D4).
create table source_keys (
  run_id uuid not null references runs (id) on delete cascade,
  component text not null,
  key text not null,
  primary key (run_id, component, key)
);

alter table intents drop constraint intents_action_check;
alter table intents add constraint intents_action_check check (action in ('create', 'update', 'delete'));

-- The digest of what a replace run would delete beyond its limits, and what was said to it.
alter table runs add column prune_digest text;
alter table runs add column prune_answer text check (prune_answer in ('confirmed', 'declined'));
alter table runs add column prune_items integer;
