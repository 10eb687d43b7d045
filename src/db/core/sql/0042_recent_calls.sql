-- The calls that the consumer ended in each of the last seconds, the latest first, at `seen_at`. One that has given up its claim leaves them behind,
-- so that the next consumer does not send as many again at once (E4).
alter table quota_shares
  add column recent_calls integer[] not null default '{}',
  add column seen_at timestamptz not null default now();
