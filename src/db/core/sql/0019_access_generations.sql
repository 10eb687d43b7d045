-- Raised whenever a membership of the person ends. Sessions, bearer tokens and grants carry the value they were made under, and speak
-- for a membership only if it is not older than `since_generation`, so that adding a removed member again revives nothing (S31).
alter table users add column generation integer not null default 0;
alter table memberships add column since_generation integer not null default 0;
alter table sessions add column generation integer not null default 0;
alter table bearer_tokens add column generation integer not null default 0;
alter table oauth_connections add column generation integer not null default 0;

-- Whose link it is: it ends with the membership. Null when an administrator of the platform made it.
alter table one_time_links add column organisation_id uuid references organisations (id);
alter table one_time_links drop constraint one_time_links_purpose_check;
alter table one_time_links add constraint one_time_links_purpose_check
  check (purpose in ('first-administrator', 'invitation', 'reset'));

-- What the list of sessions shows: an id that is no secret, where it began and with which browser.
alter table sessions
  add column id uuid not null unique default gen_random_uuid(),
  add column address text,
  add column agent text;
alter table users add column signed_in_at timestamptz;
