-- Whom an owner has invited. The person becomes a member, and where needed a user, by accepting, so that inviting an address says
-- nothing about whether it is registered.
create table invitations (
  -- Of the new user, if accepting makes one.
  id uuid primary key,
  organisation_id uuid not null references organisations (id),
  first_name text not null,
  last_name text not null,
  email text not null,
  email_key text not null,
  role text not null check (role in ('owner', 'operator', 'viewer')),
  -- Null after the organisation was removed from Store Migration: its links have ended.
  token_hash bytea unique,
  expires_at timestamptz,
  unique (organisation_id, email_key)
);
