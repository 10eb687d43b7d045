-- What the platform takes from the stock of a destination because orders are copied to it (D1). A row is there before the first of
-- these orders is sent, belongs to the shop whatever organisation writes to it, and goes when all of it is given back.
create table stock_watches (
  platform text not null,
  store_hash text not null,
  organisation_id uuid not null,
  destination_store_id uuid not null,
  -- The last run that copied orders there.
  run_id uuid not null,
  since timestamptz not null default now(),
  -- When somebody tried last to give it back.
  tried_at timestamptz not null default now(),
  -- Since when it is known to an administrator that it has waited for too long.
  told_at timestamptz,
  primary key (platform, store_hash),
  foreign key (organisation_id, destination_store_id) references stores (organisation_id, id)
);

-- Stock before the first of these orders, by product or variant and location; ids are those of the destination.
create table stock_before (
  platform text not null,
  store_hash text not null,
  product_id bigint not null,
  -- 0 where the platform names none.
  variant_id bigint not null,
  location_id bigint not null,
  quantity integer not null,
  -- What stood there when somebody set out to give back, and what they were about to set: there before the call.
  seen integer,
  target integer,
  primary key (platform, store_hash, product_id, variant_id, location_id),
  foreign key (platform, store_hash) references stock_watches (platform, store_hash) on delete cascade
);

-- What each order sells: there before the order is sent. It counts once a mapping says that the order is there.
create table stock_sold (
  platform text not null,
  store_hash text not null,
  organisation_id uuid not null,
  source_store_id uuid not null,
  destination_store_id uuid not null,
  component text not null,
  source_id text not null,
  product_id bigint not null,
  variant_id bigint not null,
  quantity integer not null,
  primary key (platform, store_hash, product_id, variant_id, source_store_id, component, source_id),
  foreign key (platform, store_hash) references stock_watches (platform, store_hash) on delete cascade
);
