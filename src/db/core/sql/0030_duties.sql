-- What is still to be done for an item of the destination when everything else is: promotions are created switched off and
-- switched on at the end (D5). A duty outlives every process and every run, and goes in the transaction that records it as done.
create table duties (
  organisation_id uuid not null,
  source_store_id uuid not null,
  destination_store_id uuid not null,
  component text not null,
  source_id text not null,
  -- What is to be written.
  fields jsonb not null,
  since timestamptz not null default now(),
  primary key (source_store_id, destination_store_id, component, source_id),
  foreign key (organisation_id, source_store_id) references stores (organisation_id, id),
  foreign key (organisation_id, destination_store_id) references stores (organisation_id, id)
);
