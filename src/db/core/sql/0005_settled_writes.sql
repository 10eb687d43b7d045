-- Creations without an answer, after it was found out what they had made. A store may apply one later than anyone waits: for thirty
-- days, runs over the pair look for a second item (G10).
create table settled_writes (
  id bigint generated always as identity primary key,
  organisation_id uuid not null,
  source_store_id uuid not null,
  destination_store_id uuid not null,
  scope text not null,
  component text not null,
  -- As in intents.
  items jsonb not null,
  baseline jsonb,
  settled_at timestamptz not null default now(),
  foreign key (organisation_id, source_store_id) references stores (organisation_id, id),
  foreign key (organisation_id, destination_store_id) references stores (organisation_id, id)
);
create index settled_writes_by_pair on settled_writes (source_store_id, destination_store_id, component);
create index settled_writes_by_age on settled_writes (settled_at);

-- Ids that no answer of a store gave (G6): such items are recognised by their keys again.
delete from mappings where destination_id like ':%' or destination_id in ('', 'undefined', 'null', 'NaN');
