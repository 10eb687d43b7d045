-- Ids of every source item that a `replace` run has read. A copy whose source item is not among them may have lost it (G3).
create table source_ids (
  run_id uuid not null references runs (id) on delete cascade,
  component text not null,
  source_id text not null,
  primary key (run_id, component, source_id)
);
