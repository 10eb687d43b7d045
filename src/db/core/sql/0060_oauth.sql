-- Who lets which assistant read: what the authorisation server of the tool endpoint keeps.

-- Clients, grants, codes, tokens and unfinished sign-ins. The id of a code or token is the secret itself, so only its SHA-256 is
-- here, and it is not in the payload either.
create table oauth_records (
  model text not null,
  id_hash bytea not null,
  payload jsonb not null,
  -- The grant a code or token belongs to: revoking it takes them all.
  grant_id text,
  -- By which a session is found besides.
  uid text,
  -- Set once; whoever comes second is refused.
  consumed_at timestamptz,
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (model, id_hash)
);
create index oauth_records_by_grant on oauth_records (grant_id) where grant_id is not null;
create index oauth_records_by_uid on oauth_records (uid) where uid is not null;
create index oauth_records_by_expiry on oauth_records (expires_at) where expires_at is not null;

-- What a user allowed: one row for each Allow, with the organisation chosen there. Role and membership are looked up for every call.
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
