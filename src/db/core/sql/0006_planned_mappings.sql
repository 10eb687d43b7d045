-- What a dry run would map, so that later items of the same run find what they refer to. Nothing of it enters `mappings` (F2).

create table planned_mappings (
  run_id uuid not null references runs (id) on delete cascade,
  scope text not null,
  component text not null,
  source_id text not null,
  -- `planned:<component>:<source id>` for what would be made; the id itself for what stands there and would be adopted.
  destination_id text not null,
  origin text not null check (origin in ('created', 'adopted')),
  many_to_one boolean not null default false,
  owed text[] not null default '{}',
  draft_checksum text,
  destination_checksum text,
  -- The run whose mapping this one lies over, else the dry run itself.
  made_by uuid not null,
  -- The destination lost the item: the real mapping below counts no more.
  forgotten boolean not null default false,
  primary key (run_id, scope, component, source_id)
);
create index planned_mappings_by_destination on planned_mappings (run_id, scope, component, destination_id);

-- Names, SKUs and addresses that the items of a dry run would take, in one store only once each.
create table planned_keys (
  run_id uuid not null references runs (id) on delete cascade,
  key text not null,
  -- `<component>/<source id>` of who would have it.
  holder text not null,
  primary key (run_id, key)
);
