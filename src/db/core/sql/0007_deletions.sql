-- What a `replace` run deletes: planned before the first deletion, and its outcome (G4). It outlives the ledger.
create table deletions (
  id bigint generated always as identity primary key,
  organisation_id uuid not null,
  run_id uuid not null,
  phase text not null,
  component text not null,
  destination_id text not null,
  -- Destination id of the item that it belongs to; '' at the top.
  parent_id text not null default '',
  -- {name, sku, path}; type and id only for personal and secret components (S9).
  item jsonb not null,
  reason text not null check (reason in ('destination_only', 'source_deleted')),
  state text not null default 'planned' check (state in ('planned', 'deleted', 'kept')),
  at timestamptz not null default now(),
  foreign key (organisation_id, run_id) references runs (organisation_id, id) on delete cascade,
  unique (run_id, component, destination_id)
);
create index deletions_by_run on deletions (run_id, id);
