-- What the engine must remember so that any process may die at any moment.

-- The fence: a claim bumps the epoch, every write names the epoch it was claimed with (A4).
create table run_leases (
  run_id uuid primary key references runs (id) on delete cascade,
  epoch bigint not null default 0,
  holder text,
  heartbeat_at timestamptz,
  -- Requests of the process before may still be applied until then; doubts are not settled earlier.
  doubts_ripe_at timestamptz not null default '-infinity'
);

-- One run at a time writes to a shop, across organisations: keyed by platform and hash, tells nothing else (A1, S2).
create table destination_leases (
  platform text not null,
  store_hash text not null,
  run_id uuid not null unique references runs (id) on delete cascade,
  taken_at timestamptz not null default now(),
  primary key (platform, store_hash)
);

-- Consumers that share a shop's quota at this moment (E4).
create table quota_shares (
  platform text not null,
  store_hash text not null,
  consumer text not null,
  expires_at timestamptz not null,
  primary key (platform, store_hash, consumer)
);

-- Source id -> destination id, per store pair and scope ('store', or a storefront pair).
create table mappings (
  organisation_id uuid not null,
  source_store_id uuid not null,
  destination_store_id uuid not null,
  scope text not null,
  component text not null,
  source_id text not null,
  destination_id text not null,
  origin text not null check (origin in ('created', 'adopted')),
  many_to_one boolean not null default false,
  -- Steps the item still needs; anything owed is continued under every strategy, by any later run (C1).
  owed text[] not null default '{}',
  -- Only stored when nothing is owed (C2).
  draft_checksum text,
  destination_checksum text,
  run_id uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (source_store_id, destination_store_id, scope, component, source_id),
  foreign key (organisation_id, source_store_id) references stores (organisation_id, id),
  foreign key (organisation_id, destination_store_id) references stores (organisation_id, id)
);
-- Adoption is one to one (B6).
create unique index mappings_one_to_one
  on mappings (source_store_id, destination_store_id, scope, component, destination_id) where not many_to_one;
create index mappings_owed
  on mappings (source_store_id, destination_store_id, scope, component) where owed <> '{}';

-- Committed before the call, deleted with its result. What is left over belongs to the destination, not to a run (B1, B4).
create table intents (
  id bigint generated always as identity primary key,
  organisation_id uuid not null,
  source_store_id uuid not null,
  destination_store_id uuid not null,
  run_id uuid not null,
  epoch bigint not null,
  scope text not null,
  component text not null,
  action text not null check (action in ('create', 'update')),
  pass text not null,
  -- [{sourceId, rootId, parentId, keys: [..], fingerprint}] in the order of the request; parentId is a destination address.
  items jsonb not null,
  -- Child ids that were there just before the call (B3); null where a key or a resend decides.
  baseline jsonb,
  -- The answer never came: settle not before then. Null while the call may still be under way in a living process.
  doubtful_until timestamptz,
  created_at timestamptz not null default now(),
  foreign key (organisation_id, source_store_id) references stores (organisation_id, id),
  foreign key (organisation_id, destination_store_id) references stores (organisation_id, id)
);
create index intents_by_pair on intents (source_store_id, destination_store_id);
create index intents_by_run on intents (run_id);

-- One row per item that is or was written, failed, warned or doubtful; matched and skipped ones live in ledger_pages (E3).
create table ledger (
  run_id uuid not null references runs (id) on delete cascade,
  component text not null,
  source_id text not null,
  pass text not null,
  -- The item of the pass this one belongs to; what a take-over reads again.
  root_id text not null,
  state text not null check (state in ('pending', 'created', 'updated', 'matched', 'skipped', 'failed', 'cancelled')),
  primary key (run_id, component, source_id)
);
create index ledger_pending on ledger (run_id, pass, root_id) where state = 'pending';

create table ledger_pages (
  run_id uuid not null references runs (id) on delete cascade,
  component text not null,
  page bigint not null,
  first_id text not null,
  last_id text not null,
  matched integer not null,
  skipped integer not null,
  primary key (run_id, component, page)
);

-- How far a pass has planned. Everything up to `position` is in the ledger; what is pending there is read again by id.
create table checkpoints (
  run_id uuid not null references runs (id) on delete cascade,
  pass text not null,
  position text not null default '',
  pages bigint not null default 0,
  finished boolean not null default false,
  primary key (run_id, pass)
);

-- Hierarchies are read once into here and then planned level by level, parents first (C5).
create table staged_items (
  run_id uuid not null references runs (id) on delete cascade,
  pass text not null,
  source_id text not null,
  parent_id text,
  level integer,
  body jsonb not null,
  primary key (run_id, pass, source_id)
);
create index staged_items_by_level on staged_items (run_id, pass, level, source_id);
create index staged_items_by_parent on staged_items (run_id, pass, parent_id);

-- What stands at the destination, listed once per pass: keys to match by, and a checksum or the drafts to compare with.
create table destination_items (
  run_id uuid not null references runs (id) on delete cascade,
  component text not null,
  destination_id text not null,
  body jsonb,
  -- A source item was paired with it; what stays unseen is extra.
  seen boolean not null default false,
  primary key (run_id, component, destination_id)
);
create table destination_keys (
  run_id uuid not null references runs (id) on delete cascade,
  component text not null,
  key text not null,
  destination_id text not null,
  primary key (run_id, component, key, destination_id)
);

create table restarts (
  run_id uuid not null references runs (id) on delete cascade,
  at timestamptz not null default now(),
  reason text not null
);
