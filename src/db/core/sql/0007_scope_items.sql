-- What a run over part of a store covers: picked items with what they need, or what one storefront has.
create table scope_items (
  run_id uuid not null references runs (id) on delete cascade,
  side text not null check (side in ('source', 'destination')),
  component text not null,
  item_id text not null,
  -- 'picked' by the caller and 'needed' by something picked are fixed at creation and outlive the run; 'met' was found while
  -- reading and goes with its end.
  why text not null check (why in ('picked', 'needed', 'met')),
  primary key (run_id, side, component, item_id)
);
