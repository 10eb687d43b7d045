-- What was asked and how far it got.

create table runs (
  id uuid primary key,
  organisation_id uuid not null references organisations (id),
  source_store_id uuid not null,
  destination_store_id uuid not null,
  mode text not null check (mode in ('full', 'dry-run', 'verify', 'counts')),
  conflict_strategy text not null check (conflict_strategy in ('skip', 'update', 'replace')),
  auto_heal boolean not null,
  label text,
  -- The create body as validated: entities, selection, orderStatuses and the rest.
  settings jsonb not null,
  selective boolean not null,
  source_storefront text,
  dest_storefront text,
  -- [{key, label, components: [{key, label}]}] in order, fixed at creation.
  phases jsonb not null,
  status text not null check (
    status in ('queued', 'in_progress', 'paused', 'completed', 'failed', 'cancelled', 'partial_completed')
  ),
  -- What a user asked for and the engine has not reached yet.
  asked text not null default 'none' check (asked in ('none', 'pause', 'cancel')),
  verifies_run_id uuid,
  forecast jsonb,
  tier text not null default 'small',
  mem_mib integer not null default 256,
  cpus real not null default 0.25,
  -- Key of the running phase; '' before the first one, the last one after the end.
  phase text not null default '',
  created_by uuid references users (id),
  created_at timestamptz not null default now(),
  started_at timestamptz,
  updated_at timestamptz not null default now(),
  finished_at timestamptz,
  last_progress_at timestamptz not null default now(),
  -- Time spent in_progress before the present admission; rates leave pauses out.
  worked_ms bigint not null default 0,
  admitted_at timestamptz,
  attempts_without_progress integer not null default 0,
  failure_code text,
  failure_message text,
  -- Grows with every snapshot; a lower one never replaces a higher one (F3).
  revision integer not null default 0,
  foreign key (organisation_id, source_store_id) references stores (organisation_id, id),
  foreign key (organisation_id, destination_store_id) references stores (organisation_id, id),
  foreign key (organisation_id, verifies_run_id) references runs (organisation_id, id),
  unique (organisation_id, id),
  check (source_store_id <> destination_store_id)
);
create index runs_by_organisation on runs (organisation_id, created_at desc, id);
create index runs_live on runs (status, created_at) where status in ('queued', 'in_progress');

-- One row per component in scope, from creation on; changes in the transaction of the results it counts (E3).
create table run_counters (
  run_id uuid not null references runs (id) on delete cascade,
  phase text not null,
  component text not null,
  position integer not null,
  -- What the platform said there would be; null until it was asked.
  expected integer,
  discovered integer not null default 0,
  created integer not null default 0,
  updated integer not null default 0,
  matched integer not null default 0,
  skipped integer not null default 0,
  failed integer not null default 0,
  cancelled integer not null default 0,
  pruned integer not null default 0,
  -- Platform refusals met; null before any call (F5).
  errors integer,
  warnings integer not null default 0,
  exceptions integer not null default 0,
  primary key (run_id, component)
);

-- Calls a run spent, by store and latency class; the demo compares them with the formula minimum.
create table run_calls (
  run_id uuid not null references runs (id) on delete cascade,
  side text not null check (side in ('source', 'destination')),
  class text not null check (class in ('read', 'write', 'heavy')),
  calls integer not null default 0,
  latency_ms bigint not null default 0,
  primary key (run_id, side, class)
);

create table run_phase_times (
  run_id uuid not null references runs (id) on delete cascade,
  phase text not null,
  predicted_seconds real,
  started_at timestamptz,
  worked_seconds real not null default 0,
  finished_at timestamptz,
  primary key (run_id, phase)
);

-- Issues keep what healing needs and outlive the ledger (F3).
create table issues (
  id uuid primary key default gen_random_uuid(),
  organisation_id uuid not null,
  run_id uuid not null,
  phase text not null,
  component text not null,
  severity text not null check (severity in ('failure', 'warning')),
  code text not null,
  message text not null,
  remedy text not null,
  source_id text not null,
  -- {name, sku, path}; type and id only for personal and secret components (S9).
  item jsonb not null,
  destination_id text,
  platform jsonb,
  state text not null default 'open' check (state in ('open', 'healed', 'dismissed')),
  rule text,
  attempts integer not null default 1,
  first_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  foreign key (organisation_id, run_id) references runs (organisation_id, id) on delete cascade,
  unique (run_id, component, source_id, code)
);

create table differences (
  id bigint generated always as identity primary key,
  organisation_id uuid not null,
  run_id uuid not null,
  phase text not null,
  component text not null,
  kind text not null check (kind in ('missing', 'different', 'extra')),
  source_id text not null default '',
  destination_id text not null default '',
  item jsonb not null,
  fields jsonb not null default '[]',
  living boolean not null default false,
  changed_meanwhile boolean not null default false,
  foreign key (organisation_id, run_id) references runs (organisation_id, id) on delete cascade,
  unique (run_id, component, kind, source_id, destination_id)
);

create table snapshots (
  run_id uuid primary key references runs (id) on delete cascade,
  organisation_id uuid not null,
  revision integer not null,
  document jsonb not null,
  at timestamptz not null default now()
);

create table outbox (
  id bigint generated always as identity primary key,
  kind text not null,
  organisation_id uuid not null,
  subject_id uuid not null,
  revision integer not null,
  at timestamptz not null default now()
);

create table idempotency_keys (
  organisation_id uuid not null references organisations (id),
  user_id uuid not null references users (id),
  operation text not null,
  key_hash bytea not null,
  body_hash bytea not null,
  run_id uuid references runs (id) on delete cascade,
  at timestamptz not null default now(),
  primary key (organisation_id, user_id, operation, key_hash)
);
