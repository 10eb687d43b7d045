-- Items that a list named while a pass read it, such as the categories of products. Another pass reads a list of each of them, and
-- of no other.
create table named_items (
  run_id uuid not null references runs (id) on delete cascade,
  side text not null check (side in ('source', 'destination')),
  -- The pass that reads their lists.
  pass text not null,
  item_id text not null,
  primary key (run_id, side, pass, item_id)
);
