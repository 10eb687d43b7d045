-- Bearer tokens that were issued and have not expired, so that each can be ended by itself (S35).
create table bearer_tokens (
  -- The token's `jti`; it opens nothing.
  id uuid primary key,
  organisation_id uuid not null references organisations (id),
  user_id uuid not null references users (id),
  -- Of the API credential. A token of an earlier version is void.
  secret_version integer not null,
  -- Where the login came from.
  address text,
  issued_at timestamptz not null,
  expires_at timestamptz not null
);
create index bearer_tokens_by_user on bearer_tokens (user_id, issued_at);
create index bearer_tokens_by_expiry on bearer_tokens (expires_at);
