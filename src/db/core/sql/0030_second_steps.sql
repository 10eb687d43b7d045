-- The second step of signing in: a code of an authenticator app (S14, S33).
create table second_steps (
  user_id uuid primary key references users (id),
  secret_encrypted bytea not null,
  -- Null until the person has given a code of it; before, sign-ins do not ask for one.
  confirmed_at timestamptz,
  -- The newest time step of which a code was accepted. Each counts once.
  last_step bigint not null default 0
);

-- In place of a code, once each.
create table recovery_codes (
  user_id uuid not null references second_steps (user_id) on delete cascade,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);

-- With the password given, a sign-in waits under such a link for the code.
alter table one_time_links drop constraint one_time_links_purpose_check;
alter table one_time_links add constraint one_time_links_purpose_check
  check (purpose in ('first-administrator', 'invitation', 'reset', 'second-step'));
