-- All keys of an item are looked up for each page that is matched; without it each look read every key of the run.
create index destination_keys_by_item on destination_keys (run_id, component, destination_id);
