-- Settings of a destination that are switched off while orders are written, so that no shopper gets a mail (D5). A row is there
-- before the setting is changed, belongs to the shop whatever organisation writes to it, and goes when the setting is back.
create table muted_settings (
  platform text not null,
  store_hash text not null,
  -- Which of its settings: e-mail statuses or order notifications, of the store or of one channel.
  setting text not null,
  organisation_id uuid not null,
  destination_store_id uuid not null,
  -- The last run that switched it off.
  run_id uuid not null,
  -- As the merchant had it, and as we left it: only what still is as we left it is put back.
  original jsonb not null,
  ours jsonb not null,
  since timestamptz not null default now(),
  -- When a host tried last to put it back.
  tried_at timestamptz not null default now(),
  -- Since when it is known to an administrator that it has waited for too long.
  told_at timestamptz,
  primary key (platform, store_hash, setting),
  foreign key (organisation_id, destination_store_id) references stores (organisation_id, id)
);
