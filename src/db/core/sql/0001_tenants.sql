-- Who: organisations, users, credentials, stores. Every tenant row hangs on an organisation; a store is a row of one
-- organisation with our own id, so that the same shop connected twice shares nothing (S2).

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
  password_hash text not null,
  active boolean not null default true,
  is_administrator boolean not null default false,
  created_at timestamptz not null default now()
);

create table memberships (
  organisation_id uuid not null references organisations (id),
  user_id uuid not null references users (id),
  role text not null check (role in ('owner', 'operator', 'viewer')),
  active boolean not null default true,
  primary key (organisation_id, user_id)
);

-- The row outlives Remove and its version never decreases (S6).
create table api_credentials (
  organisation_id uuid primary key references organisations (id),
  client_id text not null unique,
  secret_hash bytea not null,
  last_four text not null,
  version integer not null check (version >= 1),
  enabled boolean not null,
  updated_at timestamptz not null default now()
);

create table stores (
  id uuid primary key,
  organisation_id uuid not null references organisations (id),
  platform text not null default 'BC' check (platform = 'BC'),
  hash text not null check (hash ~ '^[a-z0-9]{1,20}$'),
  label text not null,
  token_encrypted bytea not null,
  -- The platform's id of the API account, when known; metafields belong to it (F6).
  platform_client_id text,
  connected_at timestamptz not null default now(),
  unique (organisation_id, id),
  unique (organisation_id, platform, hash)
);

create table signing_keys (
  kid text primary key,
  public_jwk jsonb not null,
  private_key_encrypted bytea not null,
  created_at timestamptz not null default now(),
  retired_at timestamptz
);

-- One row: tells whether the master key at hand is the one this database was written with (S8).
create table encryption_check (
  only_row boolean primary key default true check (only_row),
  key_id text not null,
  value bytea not null
);

create table audit (
  id bigint generated always as identity primary key,
  organisation_id uuid references organisations (id),
  actor_user_id uuid references users (id),
  -- 'user', 'administrator' or 'command line' when nobody is signed in.
  actor text not null,
  action text not null,
  details jsonb not null default '{}',
  at timestamptz not null default now()
);
create index audit_by_organisation on audit (organisation_id, at);

-- Failed logins per address, and per client id from that address (S5).
create table login_failures (
  address text not null,
  client_id_hash bytea not null,
  at timestamptz not null default now()
);
create index login_failures_by_address on login_failures (address, at);
