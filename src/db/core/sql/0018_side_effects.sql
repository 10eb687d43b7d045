-- What a run has changed at a shop and is to put back, or has left to be done there when all else is: even if every process dies
-- (D5, G8). A row is committed before the change, or with the item that is switched on later, and deleted when it is done.
create table side_effects (
  id bigint generated always as identity primary key,
  -- The shop, whatever organisation writes to it.
  platform text not null,
  store_hash text not null,
  -- An item to write, mails to switch on again, or stock to give back (levels in stock_before, orders in stock_sold).
  kind text not null check (kind in ('deferred-write', 'mail', 'stock')),
  -- What its issues are about.
  component text not null,
  -- Source id of the item; the setting that is off, of the store or of one channel; '' for the stock.
  subject text not null,
  organisation_id uuid not null,
  -- Only of a deferred write: it belongs to a pair of stores.
  source_store_id uuid,
  destination_store_id uuid not null,
  -- The last run that made the change or was to do the write: it gets the issues.
  run_id uuid not null,
  -- What to write: fields of the item, or the setting as the merchant had it.
  desired jsonb not null,
  -- The setting as we left it: it is put back only while it is so.
  ours jsonb,
  since timestamptz not null default now(),
  -- Hosts do nothing before: null until a run has done all that a deferred write waits for.
  due_at timestamptz,
  -- When a host last tried it.
  tried_at timestamptz not null default now(),
  -- When it was reported as overdue.
  reported_at timestamptz,
  unique nulls not distinct (platform, store_hash, kind, source_store_id, component, subject),
  check ((kind = 'deferred-write') = (source_store_id is not null)),
  foreign key (organisation_id, source_store_id) references stores (organisation_id, id),
  foreign key (organisation_id, destination_store_id) references stores (organisation_id, id)
);
create index side_effects_of_pairs on side_effects (source_store_id, destination_store_id, component, subject)
  where kind = 'deferred-write';

insert into side_effects (platform, store_hash, kind, component, subject, organisation_id, source_store_id, destination_store_id,
  run_id, desired, since, due_at, tried_at, reported_at)
select dst.platform, dst.hash, 'deferred-write', d.component, d.source_id, d.organisation_id, d.source_store_id,
  d.destination_store_id, last.id, d.fields, d.since, d.due_at, coalesce(d.tried_at, d.since), d.told_at
from duties d join stores dst on dst.organisation_id = d.organisation_id and dst.id = d.destination_store_id
-- Only runs over the pair made them.
cross join lateral (
  select run.id from runs run
  where run.organisation_id = d.organisation_id and run.source_store_id = d.source_store_id
    and run.destination_store_id = d.destination_store_id and run.mode = 'full'
  order by run.created_at desc, run.id limit 1) last;
insert into side_effects (platform, store_hash, kind, component, subject, organisation_id, destination_store_id, run_id, desired, ours,
  since, due_at, tried_at, reported_at)
select platform, store_hash, 'mail', 'orders', setting, organisation_id, destination_store_id, run_id, original, ours, since, since,
  tried_at, told_at
from muted_settings;
insert into side_effects (platform, store_hash, kind, component, subject, organisation_id, destination_store_id, run_id, desired, since,
  due_at, tried_at, reported_at)
select platform, store_hash, 'stock', 'orders', '', organisation_id, destination_store_id, run_id, '{}', since, since, tried_at, told_at
from stock_watches;

-- They outlive the row only within the statement that deletes it.
alter table stock_before drop constraint stock_before_platform_store_hash_fkey;
alter table stock_sold drop constraint stock_sold_platform_store_hash_fkey;
drop table duties, muted_settings, stock_watches;
