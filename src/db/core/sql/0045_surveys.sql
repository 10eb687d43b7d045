-- What the last survey of two stores for a forecast found, which the forecast of the next run between them takes over.
create table surveys (
  organisation_id uuid not null,
  source_store_id uuid not null,
  destination_store_id uuid not null,
  surveyed_at timestamptz not null default now(),
  -- The phases and options it was for.
  choices text not null,
  shapes jsonb not null,
  primary key (source_store_id, destination_store_id),
  foreign key (organisation_id, source_store_id) references stores (organisation_id, id) on delete cascade,
  foreign key (organisation_id, destination_store_id) references stores (organisation_id, id) on delete cascade
);
