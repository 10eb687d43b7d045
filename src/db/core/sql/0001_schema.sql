-- The schema of version 0.1.0, table by table in the order of the rooms of src/db: accounts, runs, ledger, reports,
-- side effects, addresses, oauth. Numbers such as S2 are rules of docs/rules.md.

-- Accounts: organisations, users, credentials, stores.

create table organisations (
  id uuid primary key,
  name text not null,
  -- NFKC and case-folded, so that two spellings of one name cannot exist (S5).
  name_key text not null unique,
  store_migration_enabled boolean not null default false,
  created_at timestamptz not null default now()
);

create table users (
  id uuid primary key,
  first_name text not null,
  last_name text not null,
  email text not null,
  email_key text not null unique,
  -- Null until an invitation is accepted.
  password_hash text,
  active boolean not null default true,
  is_administrator boolean not null default false,
  created_at timestamptz not null default now(),
  -- Bearer tokens and grants made before this moment are void. Set when the password changes.
  tokens_since timestamptz not null default 'epoch'
);

create table memberships (
  organisation_id uuid not null references organisations (id),
  user_id uuid not null references users (id),
  role text not null check (role in ('owner', 'operator', 'viewer')),
  active boolean not null default true,
  primary key (organisation_id, user_id)
);

-- The row outlives Remove, and its version never decreases (S6).
create table api_credentials (
  organisation_id uuid primary key references organisations (id),
  client_id text not null unique,
  secret_hash bytea not null,
  last_four text not null,
  version integer not null check (version >= 1),
  enabled boolean not null,
  updated_at timestamptz not null default now()
);

-- A store belongs to one organisation under an id of ours, so the same shop connected twice shares nothing (S2). A disconnected
-- store loses its token and keeps its row: when it is connected again, nothing is copied twice (S6).
create table stores (
  id uuid primary key,
  organisation_id uuid not null references organisations (id),
  platform text not null default 'BC' check (platform = 'BC'),
  hash text not null check (hash ~ '^[a-z0-9]{1,20}$'),
  label text not null,
  token_encrypted bytea,
  -- The API account that made the first copies, when known: metafields belong to it (F6).
  platform_client_id text,
  connected_at timestamptz not null default now(),
  disconnected_at timestamptz,
  unique (organisation_id, id),
  unique (organisation_id, platform, hash),
  constraint token_while_connected check ((token_encrypted is null) = (disconnected_at is not null))
);

-- Sessions of the portal. The browser holds 256 random bits, this table their SHA-256 (S13). Ended sessions are deleted.
create table sessions (
  id_hash bytea primary key,
  user_id uuid not null references users (id),
  started_at timestamptz not null,
  -- Written at most once a minute; the idle time is counted from it.
  seen_at timestamptz not null
);
create index sessions_by_user on sessions (user_id);
create index sessions_by_start on sessions (started_at);

-- Links for people without a password. Each works once, by POST, until it expires (S11, S14).
create table one_time_links (
  token_hash bytea primary key,
  purpose text not null check (purpose in ('first-administrator', 'invitation')),
  -- Null for the link that makes the first administrator.
  user_id uuid references users (id),
  expires_at timestamptz not null
);
create index one_time_links_by_user on one_time_links (user_id);

-- Failed logins per address, and per client id from that address (S5).
create table login_failures (
  address text not null,
  client_id_hash bytea not null,
  at timestamptz not null default now()
);
create index login_failures_by_address on login_failures (address, at);

create table signing_keys (
  kid text primary key,
  public_jwk jsonb not null,
  private_key_encrypted bytea not null,
  created_at timestamptz not null default now(),
  retired_at timestamptz
);

-- One row: which master key this database is written with (S8).
create table encryption_check (
  only_row boolean primary key default true check (only_row),
  key_id text not null,
  value bytea not null,
  -- The first master key, sealed with the present one: every purpose except encryption derives from it. Null while the present
  -- key is the first.
  root_sealed bytea
);

create table audit (
  id bigint generated always as identity primary key,
  organisation_id uuid references organisations (id),
  actor_user_id uuid references users (id),
  -- 'user', 'administrator', or 'command line' when no user is signed in.
  actor text not null,
  action text not null,
  details jsonb not null default '{}',
  at timestamptz not null default now()
);
create index audit_by_organisation on audit (organisation_id, at);
create index audit_by_actor on audit (actor_user_id, id);

-- Runs: what was requested, and how far it has got.

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
  -- The control that a user requested and the engine has not reached yet.
  asked text not null default 'none' check (asked in ('none', 'pause', 'cancel')),
  verifies_run_id uuid,
  created_by uuid references users (id),
  created_at timestamptz not null default now(),
  started_at timestamptz,
  updated_at timestamptz not null default now(),
  finished_at timestamptz,
  failure_code text,
  failure_message text,
  -- Grows with every snapshot; a lower one never replaces a higher one (F3).
  revision integer not null default 0,

  -- Price and size.
  forecast jsonb,
  tier text not null default 'small',
  mem_mib integer not null default 256,
  cpus real not null default 0.25,

  -- Progress. `phase` is the key of the running phase: '' before the first one, the last one after the end.
  phase text not null default '',
  last_progress_at timestamptz not null default now(),
  -- Time in progress before the present admission; rates leave pauses out.
  worked_ms bigint not null default 0,
  admitted_at timestamptz,
  attempts_without_progress integer not null default 0,
  -- [[milliseconds worked, items in a terminal state], ...], one every two seconds of the last minute of work.
  progress_samples jsonb not null default '[]',
  -- The highest percentage any reader was shown: totals grow while a store is read, the bar never goes back.
  percent_reached real not null default 0 check (percent_reached < 100),

  -- Healing. Round 0 is the run's own; each one a person requests is another. Passes and time count per round (F4).
  heal_round integer not null default 0,
  heal_pass integer not null default 0,
  heal_ms bigint not null default 0,

  -- The digest of what a replace run would delete beyond its limits, and a person's answer to it.
  prune_digest text,
  prune_answer text check (prune_answer in ('confirmed', 'declined')),
  prune_items integer,

  -- With the master key it makes the run's own key; without it the before-images cannot be read (S9).
  before_image_salt bytea not null default sha256(gen_random_uuid()::text::bytea),

  foreign key (organisation_id, source_store_id) references stores (organisation_id, id),
  foreign key (organisation_id, destination_store_id) references stores (organisation_id, id),
  foreign key (organisation_id, verifies_run_id) references runs (organisation_id, id),
  unique (organisation_id, id),
  check (source_store_id <> destination_store_id)
);
create index runs_by_organisation on runs (organisation_id, created_at desc, id);
create index runs_live on runs (status, created_at) where status in ('queued', 'in_progress');
create index runs_unpriced on runs (created_at) where forecast is null;

-- One row per component in scope, from creation on. It changes in the transaction of the results it counts (E3).
create table run_counters (
  run_id uuid not null references runs (id) on delete cascade,
  phase text not null,
  component text not null,
  position integer not null,
  -- How many the platform said there would be; null until it was asked.
  expected integer,
  discovered integer not null default 0,
  created integer not null default 0,
  updated integer not null default 0,
  matched integer not null default 0,
  skipped integer not null default 0,
  failed integer not null default 0,
  cancelled integer not null default 0,
  pruned integer not null default 0,
  -- Calls the platform refused; null before any call (F5).
  errors integer,
  warnings integer not null default 0,
  exceptions integer not null default 0,
  -- Widgets that the pages of the component put on the destination; MigrationDetail shows them beside the pages.
  widgets integer not null default 0,
  -- When an item last reached or left a terminal state.
  progressed_at timestamptz,
  primary key (run_id, component)
);

-- Calls a run spent, by store and latency class.
create table run_calls (
  run_id uuid not null references runs (id) on delete cascade,
  side text not null check (side in ('source', 'destination')),
  class text not null check (class in ('read', 'write', 'heavy')),
  calls integer not null default 0,
  latency_ms bigint not null default 0,
  -- The forecast; null when the run had none.
  predicted integer,
  primary key (run_id, side, class)
);

create table run_phase_times (
  run_id uuid not null references runs (id) on delete cascade,
  phase text not null,
  predicted_seconds real,
  -- Before the pair's own correction, which the next forecast learns from these.
  calculated_seconds real,
  started_at timestamptz,
  worked_seconds real not null default 0,
  finished_at timestamptz,
  primary key (run_id, phase)
);

-- What a dry run was priced from. Its plan is priced from the same values, with the plan's numbers.
create table plan_bases (
  run_id uuid primary key references runs (id) on delete cascade,
  basis jsonb not null
);

-- What a run found out about its two stores before its first phase, so that a process that takes over decides the same and
-- repeats no finding.
create table preflights (
  run_id uuid primary key references runs (id) on delete cascade,
  -- Address below which the source serves the originals of its pictures; null: the reduced pictures are copied.
  originals text,
  at timestamptz not null default now(),
  -- The API account the run wrote with, when known. Metafields belong to the account that made them, and another one may not
  -- see them.
  destination_client text
);

-- What a partial run covers: picked items with what they need, or what one storefront has.
create table scope_items (
  run_id uuid not null references runs (id) on delete cascade,
  side text not null check (side in ('source', 'destination')),
  component text not null,
  item_id text not null,
  -- 'picked' by the caller and 'needed' by a picked item are fixed at creation and outlive the run; 'met' was found in scope
  -- while reading and is deleted when the run ends.
  why text not null check (why in ('picked', 'needed', 'met')),
  primary key (run_id, side, component, item_id)
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

-- Runs: many hosts share one installation.

-- What each host offers; admission lets in no more than fits on the live ones (A1). A row that is not renewed means that its
-- host is gone; a draining host deletes its own.
create table worker_hosts (
  name text primary key,
  max_runs integer not null,
  -- For its runs together (A6).
  memory_mib integer not null,
  -- {"large": 1}: the most runs of a tier there; a tier that is not named has no cap of its own.
  tier_caps jsonb not null,
  seen_at timestamptz not null default now()
);

-- Admitted runs in order, so that the next admission knows whose turn it is (A1).
create table admissions (
  turn bigint generated always as identity primary key,
  organisation_id uuid not null references organisations (id),
  run_id uuid not null references runs (id) on delete cascade,
  at timestamptz not null default now()
);
create index admissions_by_organisation on admissions (organisation_id, turn);
create index admissions_by_run on admissions (run_id);

-- The fence: a claim bumps the epoch, and every write names the epoch it was claimed with (A4).
create table run_leases (
  run_id uuid primary key references runs (id) on delete cascade,
  epoch bigint not null default 0,
  holder text,
  heartbeat_at timestamptz,
  -- When the holding process took the run; with the heartbeat before, how long the run was left alone.
  claimed_at timestamptz,
  -- Requests of the process before may still be applied until then; unconfirmed writes are not settled earlier.
  doubts_ripe_at timestamptz not null default '-infinity'
);

-- One run at a time writes to a shop, across organisations: keyed by platform and hash, so it reveals nothing else (A1, S2).
create table destination_leases (
  platform text not null,
  store_hash text not null,
  run_id uuid not null unique references runs (id) on delete cascade,
  taken_at timestamptz not null default now(),
  primary key (platform, store_hash)
);

create table restarts (
  run_id uuid not null references runs (id) on delete cascade,
  at timestamptz not null default now(),
  reason text not null
);

-- Consumers that share a shop's quota at this moment (E4).
create table quota_shares (
  platform text not null,
  store_hash text not null,
  consumer text not null,
  expires_at timestamptz not null,
  primary key (platform, store_hash, consumer)
);

-- Shops whose quota window a consumer has seen used up. The first call of a consumer that begins meanwhile would otherwise take
-- what is reserved for the merchant's other apps (E4).
create table used_up_windows (
  platform text not null,
  store_hash text not null,
  ends_at timestamptz not null,
  primary key (platform, store_hash)
);

-- Calls under way at an endpoint that a shop answers only a few of at a time, fewer than it has consumers (E4). A row counts as
-- long as its consumer's quota claim is valid, so a dead or frozen process blocks nothing.
create table endpoint_slots (
  platform text not null,
  store_hash text not null,
  endpoint text not null,
  slot integer not null,
  consumer text not null,
  taken_at timestamptz not null default now(),
  primary key (platform, store_hash, endpoint, slot)
);

-- Ledger: what the engine must remember, because any process may die at any moment.

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
  -- What the copy still lacks. Any later run completes it, under every strategy (C1).
  owed text[] not null default '{}',
  -- Stored only when nothing is pending (C2).
  draft_checksum text,
  destination_checksum text,
  run_id uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (source_store_id, destination_store_id, scope, component, source_id),
  foreign key (organisation_id, source_store_id) references stores (organisation_id, id),
  foreign key (organisation_id, destination_store_id) references stores (organisation_id, id)
);
-- Adoption is one to one (B6), unless several source items may share a destination item. One index for both: a partial one
-- serves only queries that repeat its condition, and all others would read every mapping of the component.
create unique index mappings_one_to_one on mappings
  (source_store_id, destination_store_id, scope, component, destination_id, (case when many_to_one then source_id else '' end));
create index mappings_owed
  on mappings (source_store_id, destination_store_id, scope, component) where owed <> '{}';

-- What a dry run would map, so that later items of the same run find what they refer to. None of it enters `mappings` (F2).
create table planned_mappings (
  run_id uuid not null references runs (id) on delete cascade,
  scope text not null,
  component text not null,
  source_id text not null,
  -- `planned:<component>:<source id>` for what would be created; the id itself for what exists and would be adopted.
  destination_id text not null,
  origin text not null check (origin in ('created', 'adopted')),
  many_to_one boolean not null default false,
  owed text[] not null default '{}',
  draft_checksum text,
  destination_checksum text,
  -- The run of the real mapping this one replaces, else the dry run itself.
  made_by uuid not null,
  -- The destination lost the item: the real mapping below no longer counts.
  forgotten boolean not null default false,
  primary key (run_id, scope, component, source_id)
);
create index planned_mappings_by_destination on planned_mappings (run_id, scope, component, destination_id);

-- Names, SKUs and addresses that the items of a dry run would take; each exists once in a store.
create table planned_keys (
  run_id uuid not null references runs (id) on delete cascade,
  key text not null,
  -- `<component>/<source id>` of the item that would have it.
  holder text not null,
  primary key (run_id, key)
);

-- Committed before the call, deleted with its result. A row that is left belongs to the destination, not to a run (B1, B4).
create table intents (
  id bigint generated always as identity primary key,
  organisation_id uuid not null,
  source_store_id uuid not null,
  destination_store_id uuid not null,
  run_id uuid not null,
  epoch bigint not null,
  scope text not null,
  component text not null,
  action text not null check (action in ('create', 'update', 'delete')),
  pass text not null,
  -- [{sourceId, rootId, parentId, keys: [..], fingerprint}] in the order of the request; parentId is a destination address.
  items jsonb not null,
  -- Ids of the children that existed just before the call (B3); null where a key or a resend decides.
  baseline jsonb,
  -- The answer never came: do not settle before then. Null while a live process may still be waiting for the answer.
  doubtful_until timestamptz,
  created_at timestamptz not null default now(),
  foreign key (organisation_id, source_store_id) references stores (organisation_id, id),
  foreign key (organisation_id, destination_store_id) references stores (organisation_id, id)
);
create index intents_by_pair on intents (source_store_id, destination_store_id);
create index intents_by_run on intents (run_id);

-- What a destination item was before we overwrote or deleted it, written in the transaction of the intent (D6). Of an updated
-- item only the overwritten fields; of a pruned one everything. It outlives the ledger, as the mappings do.
create table before_images (
  organisation_id uuid not null,
  run_id uuid not null,
  component text not null,
  destination_id text not null,
  action text not null check (action in ('update', 'delete')),
  -- Null for personal and secret components: then body_sealed has it, encrypted with the run's own key (S9).
  body jsonb,
  body_sealed bytea,
  at timestamptz not null default now(),
  primary key (run_id, component, destination_id, action),
  foreign key (organisation_id, run_id) references runs (organisation_id, id) on delete cascade,
  check ((body is null) <> (body_sealed is null))
);

-- One row per item that was or will be written, that failed, or that was pruned; matched and skipped ones are only counted, in
-- ledger_pages (E3). The source id of a pruned item is 'there:' and its destination id.
create table ledger (
  run_id uuid not null references runs (id) on delete cascade,
  component text not null,
  source_id text not null,
  pass text not null,
  -- The item of the pass this one belongs to; a process that takes over reads that one again.
  root_id text not null,
  state text not null
    check (state in ('pending', 'created', 'updated', 'matched', 'skipped', 'failed', 'cancelled', 'pruned')),
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

-- How far a pass has planned. Everything up to `position` is in the ledger; pending items are read again by id.
create table checkpoints (
  run_id uuid not null references runs (id) on delete cascade,
  pass text not null,
  position text not null default '',
  pages bigint not null default 0,
  finished boolean not null default false,
  primary key (run_id, pass)
);

-- Hierarchies are read once into here, then planned level by level, parents first (C5).
create table staged_items (
  run_id uuid not null references runs (id) on delete cascade,
  pass text not null,
  source_id text not null,
  parent_id text,
  level integer,
  body jsonb not null,
  primary key (run_id, pass, source_id)
);
-- By level, then by the size of the id, which need not be a number. Prices of price lists are staged too, so there can be many.
create index staged_items_in_order on staged_items (run_id, pass, coalesce(level, 1000000), length(source_id), source_id);
create index staged_items_by_parent on staged_items (run_id, pass, parent_id);

-- The destination's items, listed once per pass: keys to match by, and a checksum or the drafts to compare with.
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
-- All keys of an item are looked up for each page that is matched; without this each look-up reads every key of the run.
create index destination_keys_by_item on destination_keys (run_id, component, destination_id);

-- Keys of every source item a replace run read, whatever its outcome: a destination item with one of them is not
-- destination-only (D4).
create table source_keys (
  run_id uuid not null references runs (id) on delete cascade,
  component text not null,
  key text not null,
  primary key (run_id, component, key)
);

-- Reports: issues and differences. Both outlive the ledger, and issues keep what healing needs (F3).

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
  -- Where to read the item again; '' where an issue is about no item.
  pass text not null default '',
  root_id text not null default '',
  -- What the rule being tried does, in words; becomes the message when the issue is healed.
  told text,
  -- Rule -> fingerprint of its last try: the same is not tried again (F4).
  tried jsonb not null default '{}',
  -- Round and pass of the last try: each item is tried once in a pass.
  tried_in text not null default '',
  foreign key (organisation_id, run_id) references runs (organisation_id, id) on delete cascade,
  unique (run_id, component, source_id, code)
);
create index issues_by_run on issues (run_id, first_at, id);
create index issues_to_heal on issues (run_id, pass, root_id) where state = 'open';

-- Items that an open failure covers: one issue reports a product and its children. An item that is copied on a retry leaves this
-- table in the transaction that counts it.
create table failed_items (
  run_id uuid not null references runs (id) on delete cascade,
  component text not null,
  source_id text not null,
  issue_id uuid not null references issues (id) on delete cascade,
  primary key (run_id, component, source_id)
);
create index failed_items_by_issue on failed_items (issue_id);

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
create index differences_by_run on differences (run_id, id);

-- Side effects: what is switched on late, and what is put back afterwards.

-- Deferred writes: promotions are created switched off and switched on when everything else is done (D5). A row outlives every
-- process and run, and is deleted in the transaction that records the write.
create table duties (
  organisation_id uuid not null,
  source_store_id uuid not null,
  destination_store_id uuid not null,
  component text not null,
  source_id text not null,
  -- What to write.
  fields jsonb not null,
  since timestamptz not null default now(),
  -- Set when a run has done everything else. From then on hosts try it until a run can (D5).
  due_at timestamptz,
  -- When a host last tried it.
  tried_at timestamptz,
  -- When it was reported as overdue; a run that reaches it starts over.
  told_at timestamptz,
  primary key (source_store_id, destination_store_id, component, source_id),
  foreign key (organisation_id, source_store_id) references stores (organisation_id, id),
  foreign key (organisation_id, destination_store_id) references stores (organisation_id, id)
);

-- Settings of a destination that are switched off while orders are written, so that no shopper gets a mail (D5). A row is
-- committed before the setting is changed, belongs to the shop whatever organisation writes to it, and is deleted when the
-- setting is back.
create table muted_settings (
  platform text not null,
  store_hash text not null,
  -- Which setting: e-mail statuses or order notifications, of the store or of one channel.
  setting text not null,
  organisation_id uuid not null,
  destination_store_id uuid not null,
  -- The last run that switched it off.
  run_id uuid not null,
  -- As the merchant had it, and as we left it: it is put back only while it is as we left it.
  original jsonb not null,
  ours jsonb not null,
  since timestamptz not null default now(),
  -- When a host last tried to put it back.
  tried_at timestamptz not null default now(),
  -- When it was reported as overdue.
  told_at timestamptz,
  primary key (platform, store_hash, setting),
  foreign key (organisation_id, destination_store_id) references stores (organisation_id, id)
);

-- Shops whose stock the platform lowers because orders are copied to them (D1). A row is committed before the first of these
-- orders is sent, belongs to the shop whatever organisation writes to it, and is deleted when all stock is given back.
create table stock_watches (
  platform text not null,
  store_hash text not null,
  organisation_id uuid not null,
  destination_store_id uuid not null,
  -- The last run that copied orders there.
  run_id uuid not null,
  since timestamptz not null default now(),
  -- When a host last tried to give stock back.
  tried_at timestamptz not null default now(),
  -- When it was reported as overdue.
  told_at timestamptz,
  primary key (platform, store_hash),
  foreign key (organisation_id, destination_store_id) references stores (organisation_id, id)
);

-- Stock before the first of these orders, by product or variant and location. Ids are those of the destination.
create table stock_before (
  platform text not null,
  store_hash text not null,
  product_id bigint not null,
  -- 0 where the platform names none.
  variant_id bigint not null,
  location_id bigint not null,
  quantity integer not null,
  -- The level found and the level to set, committed before the call that gives stock back.
  seen integer,
  target integer,
  primary key (platform, store_hash, product_id, variant_id, location_id),
  foreign key (platform, store_hash) references stock_watches (platform, store_hash) on delete cascade
);

-- What each order sells, committed before the order is sent. It counts once a mapping says that the order exists.
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

-- Addresses.

-- Pages whose path at the destination is not that of the source, because it was taken or the item existed under another one.
-- Links in texts follow; a run that finds a row not yet followed corrects texts that were written before.
create table moved_addresses (
  organisation_id uuid not null,
  source_store_id uuid not null,
  destination_store_id uuid not null,
  component text not null,
  source_id text not null,
  -- Without the slash at its end.
  source_path text not null,
  destination_path text not null,
  followed boolean not null default false,
  primary key (source_store_id, destination_store_id, component, source_id),
  foreign key (organisation_id, source_store_id) references stores (organisation_id, id),
  foreign key (organisation_id, destination_store_id) references stores (organisation_id, id)
);
create index moved_addresses_by_path on moved_addresses (source_store_id, destination_store_id, source_path);

-- How many addresses and ids a run has rewritten in how many items, for the one issue that says so at its end.
create table rewritten_links (
  run_id uuid not null references runs (id) on delete cascade,
  component text not null,
  items integer not null,
  links integer not null,
  primary key (run_id, component)
);

-- OAuth: what the authorisation server of the tool endpoint keeps.

-- Clients, grants, codes, tokens and unfinished sign-ins. The id of a code or token is the secret itself, so only its SHA-256 is
-- stored, and the payload does not contain it.
create table oauth_records (
  model text not null,
  id_hash bytea not null,
  payload jsonb not null,
  -- The grant a code or token belongs to: revoking it revokes them all.
  grant_id text,
  -- A second way to find a session.
  uid text,
  -- Set once; a second use is refused.
  consumed_at timestamptz,
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (model, id_hash)
);
create index oauth_records_by_grant on oauth_records (grant_id) where grant_id is not null;
create index oauth_records_by_uid on oauth_records (uid) where uid is not null;
create index oauth_records_by_expiry on oauth_records (expires_at) where expires_at is not null;

-- What a user allowed: one row for each Allow, with the organisation chosen there. Role and membership are checked at every call.
create table oauth_connections (
  grant_id text primary key,
  organisation_id uuid not null references organisations (id),
  user_id uuid not null references users (id),
  client_id text not null,
  client_name text not null,
  redirect_host text not null,
  connected_at timestamptz not null,
  last_used_at timestamptz
);
create index oauth_connections_by_user on oauth_connections (organisation_id, user_id, connected_at);
create index oauth_connections_by_client on oauth_connections (client_id);

-- Registrations from an address, to limit them.
create table oauth_registrations (
  address text not null,
  at timestamptz not null default now()
);
create index oauth_registrations_by_address on oauth_registrations (address, at);
