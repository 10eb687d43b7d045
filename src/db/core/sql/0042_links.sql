-- Pages whose path at the destination is not that of the source: it was taken, or the item was there under another one. Links to
-- them in texts follow; texts that were written before are corrected by the run that finds the row not yet followed.
create table moved_addresses (
  organisation_id uuid not null,
  source_store_id uuid not null,
  destination_store_id uuid not null,
  component text not null,
  source_id text not null,
  -- Without the slash at its end.
  source_path text not null,
  destination_path text not null,
  followed boolean not null default false,
  primary key (source_store_id, destination_store_id, component, source_id),
  foreign key (organisation_id, source_store_id) references stores (organisation_id, id),
  foreign key (organisation_id, destination_store_id) references stores (organisation_id, id)
);
create index moved_addresses_by_path on moved_addresses (source_store_id, destination_store_id, source_path);

-- How many addresses and ids a run has rewritten in how many items, for the one issue that says so at its end.
create table rewritten_links (
  run_id uuid not null references runs (id) on delete cascade,
  component text not null,
  items integer not null,
  links integer not null,
  primary key (run_id, component)
);
