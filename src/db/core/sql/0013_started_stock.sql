-- Stock that new items got when they were created. What is missing of it when their levels are set was sold by the shop (G11).
create table started_stock (
  organisation_id uuid not null,
  destination_store_id uuid not null,
  product_id bigint not null,
  -- 0 where the product is counted as a whole.
  variant_id bigint not null,
  quantity integer not null,
  -- By location, for levels that are being set: sales taken off, the level found and the one to set, committed before the call.
  levels jsonb not null default '{}',
  primary key (destination_store_id, product_id, variant_id),
  foreign key (organisation_id, destination_store_id) references stores (organisation_id, id) on delete cascade
);
