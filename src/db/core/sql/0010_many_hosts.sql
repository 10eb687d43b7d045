-- Many hosts share one installation.

-- What each host offers; admission lets in no more than fits on those that live (A1). A row that is not renewed says that its host
-- is gone, and a host that drains takes its own away.
create table worker_hosts (
  name text primary key,
  max_runs integer not null,
  -- For its runs together (A6).
  memory_mib integer not null,
  -- {"large": 1}: the most runs of a tier there; a tier that is not named has no cap of its own.
  tier_caps jsonb not null,
  seen_at timestamptz not null default now()
);

-- Who was let in, one after the other: whose turn it is must not be forgotten between two admissions (A1).
create table admissions (
  turn bigint generated always as identity primary key,
  organisation_id uuid not null references organisations (id),
  run_id uuid not null references runs (id) on delete cascade,
  at timestamptz not null default now()
);
create index admissions_by_organisation on admissions (organisation_id, turn);
create index admissions_by_run on admissions (run_id);

-- When the process that holds a run took it; with the heartbeat before, how long nobody worked on it.
alter table run_leases add column claimed_at timestamptz;

-- Calls under way at an endpoint that a shop answers only so many of at once, where that is fewer than it has consumers (E4). A row
-- counts as long as its consumer's claim on the shop stands, so that a process that died or froze holds nothing up.
create table endpoint_slots (
  platform text not null,
  store_hash text not null,
  endpoint text not null,
  slot integer not null,
  consumer text not null,
  taken_at timestamptz not null default now(),
  primary key (platform, store_hash, endpoint, slot)
);
