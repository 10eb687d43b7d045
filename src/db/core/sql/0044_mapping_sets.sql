-- The mappings of one component between two stores, in one scope. A number for these five in each mapping and its indexes takes half
-- the space that repeating them took (decision 0037).
create table mapping_sets (
  id integer generated always as identity primary key,
  organisation_id uuid not null,
  source_store_id uuid not null,
  destination_store_id uuid not null,
  scope text not null,
  component text not null,
  unique (source_store_id, destination_store_id, scope, component),
  foreign key (organisation_id, source_store_id) references stores (organisation_id, id),
  foreign key (organisation_id, destination_store_id) references stores (organisation_id, id)
);
lock table mappings;
insert into mapping_sets (organisation_id, source_store_id, destination_store_id, scope, component)
select distinct organisation_id, source_store_id, destination_store_id, scope, component from mappings;

alter table mappings rename to repeating_mappings;
create table mappings (
  set_id integer not null,
  many_to_one boolean not null default false,
  extra_children boolean,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  run_id uuid not null,
  origin text not null check (origin in ('created', 'adopted')),
  source_id text not null,
  destination_id text not null,
  -- What the copy still lacks. Any later run completes it, under every strategy (C1).
  owed text[] not null default '{}',
  -- Stored only when nothing is pending (C2).
  draft_checksum text,
  destination_checksum text,
  name text,
  sku text
);
insert into mappings
select s.id, m.many_to_one, m.extra_children, m.created_at, m.updated_at, m.run_id, m.origin, m.source_id, m.destination_id, m.owed,
  left(m.draft_checksum, -21), left(m.destination_checksum, -21), m.name, m.sku
from repeating_mappings m join mapping_sets s using (source_store_id, destination_store_id, scope, component)
order by s.id, m.created_at;
drop table repeating_mappings;
alter table mappings
  add primary key (set_id, source_id),
  add foreign key (set_id) references mapping_sets (id) on delete cascade;
-- Adoption is one to one (B6), unless several source items may share a destination item. One index for both: a partial one
-- serves only queries that repeat its condition, and all others would read every mapping of the component.
create unique index mappings_one_to_one on mappings
  (set_id, destination_id, (case when many_to_one then source_id else '' end));
-- Pending work is read in pages in the order of the items.
create index mappings_owed on mappings (set_id, source_id) where owed <> '{}';
analyze mapping_sets, mappings;

-- Checksums have the first 22 characters of the hash instead of all 43: half the space again.
update planned_mappings
  set draft_checksum = left(draft_checksum, -21), destination_checksum = left(destination_checksum, -21)
  where draft_checksum is not null or destination_checksum is not null;
update deletions set checksum = left(checksum, -21) where checksum is not null;
update destination_items set body = jsonb_set(body, '{checksum}', to_jsonb(left(body ->> 'checksum', -21)))
  where body ->> 'checksum' is not null;

-- Each mapping with what its set says, for queries over several sets.
create view mappings_of_pairs as
select s.organisation_id, s.source_store_id, s.destination_store_id, s.scope, s.component, m.*
from mappings m join mapping_sets s on s.id = m.set_id;
