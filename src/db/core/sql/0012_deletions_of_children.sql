-- The list of deletions is what a run works through, so it holds children of items that stay, too (G3, G4).
alter table deletions
  add column pass text not null default '',
  -- Of a child: source id of the item that it is deleted from; '' for a whole item.
  add column root_id text not null default '',
  add column parent_name text,
  -- Of a copy: the source item that no longer exists.
  add column source_id text,
  -- Destination id of its parent in a hierarchy.
  add column above text,
  -- Lower ones go first: minus the depth in a hierarchy.
  add column position integer not null default 0,
  -- Of a child when it was planned; one that was edited since is kept.
  add column checksum text,
  -- It is in the way of what is to be written, so it goes before the next pass and not at the end.
  add column at_once boolean not null default false,
  -- A person has confirmed it, so it no longer counts towards the limits.
  add column confirmed boolean not null default false;
create index deletions_of_items on deletions (run_id, pass, position, id) where root_id = '' and state = 'planned';
create index deletions_of_children on deletions (run_id, pass, root_id, id) where root_id <> '' and state = 'planned';
create index deletions_above on deletions (run_id, component, above) where above is not null;

-- What of the destination no source item maps to or shares a key with: found once, then read in pages.
create table prune_candidates (
  run_id uuid not null references runs (id) on delete cascade,
  component text not null,
  destination_id text not null,
  -- Of a copy whose source item the run did not read.
  source_id text,
  primary key (run_id, component, destination_id)
);
