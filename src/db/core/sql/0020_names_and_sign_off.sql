-- What people call the two items of a pair; null for personal and secret components (S9), and for pairs made before.
alter table mappings
  add column name text,
  add column sku text;
-- {name, sku, parent}; null for personal and secret components (S9), and for images made before.
alter table before_images add column item jsonb;

alter table issues
  -- Why a person accepted it as it is.
  add column reason text,
  -- The round of healing that a person chose it for.
  add column chosen_round integer;
-- Whether the present round tries chosen issues only.
alter table runs add column heal_chosen boolean not null default false;

-- A person has looked at a copy and its comparison, and says that it is done.
create table sign_offs (
  id bigint generated always as identity primary key,
  organisation_id uuid not null,
  run_id uuid not null,
  -- The comparison that was signed.
  comparison_id uuid not null,
  -- Kept by name, because people leave.
  signed_by text not null,
  user_id uuid not null,
  note text,
  at timestamptz not null default now(),
  foreign key (organisation_id, run_id) references runs (organisation_id, id) on delete cascade,
  foreign key (organisation_id, comparison_id) references runs (organisation_id, id) on delete cascade
);
create index sign_offs_by_run on sign_offs (run_id, id);
