-- Shops whose quota window a consumer has seen used up: whoever begins meanwhile knows nothing of it, and its first call would tread on
-- what is reserved for the merchant's other apps (E4).
create table used_up_windows (
  platform text not null,
  store_hash text not null,
  ends_at timestamptz not null,
  primary key (platform, store_hash)
);
