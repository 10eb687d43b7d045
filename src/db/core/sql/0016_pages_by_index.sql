-- States of items with their children, whatever they are: without it, each page reads everything that the pass has recorded.
create index ledger_by_root on ledger (run_id, pass, root_id);

-- Pending work is read in pages in the order of the items, so each page has to begin where the last one ended.
drop index mappings_owed;
create index mappings_owed
  on mappings (source_store_id, destination_store_id, scope, component, source_id) where owed <> '{}';
create index planned_mappings_owed on planned_mappings (run_id, scope, component, source_id) where owed <> '{}';
