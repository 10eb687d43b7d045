-- Staged items are planned by level and by the size of their ids; ids that are no numbers (prices, segments) may be long.
-- Prices of price lists are staged too, so there can be many: each page is found by this index.
drop index staged_items_by_level;
create index staged_items_in_order on staged_items (run_id, pass, coalesce(level, 1000000), length(source_id), source_id);
