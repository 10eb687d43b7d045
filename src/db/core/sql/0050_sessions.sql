-- Who is signed in to the portal, and the links that let somebody in who has no password yet.

-- A password comes with the first use of an invitation.
alter table users alter column password_hash drop not null;

-- Bearer tokens and grants made before this moment are void: set by a changed password.
alter table users add column tokens_since timestamptz not null default 'epoch';

-- The browser holds 256 random bits, this table their SHA-256 (S13). Ended sessions leave no row.
create table sessions (
  id_hash bytea primary key,
  user_id uuid not null references users (id),
  started_at timestamptz not null,
  -- Written at most once a minute; what the idle end is counted from.
  seen_at timestamptz not null
);
create index sessions_by_user on sessions (user_id);
create index sessions_by_start on sessions (started_at);

-- Each works once, by POST, until it expires (S11, S14). `user_id` is null for the link that makes the first administrator.
create table one_time_links (
  token_hash bytea primary key,
  purpose text not null check (purpose in ('first-administrator', 'invitation')),
  user_id uuid references users (id),
  expires_at timestamptz not null
);
create index one_time_links_by_user on one_time_links (user_id);
