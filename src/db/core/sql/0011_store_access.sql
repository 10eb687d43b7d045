-- How the last look at a store ended: for lists, which must not ask every store (S25).
alter table stores
  add column access_state text check (access_state in ('works', 'refused', 'silent')),
  add column access_checked_at timestamptz,
  add column access_latency_ms integer;
