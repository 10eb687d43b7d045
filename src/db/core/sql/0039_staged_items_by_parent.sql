-- Only hierarchies have parents; 20 million stock levels have none.
drop index staged_items_by_parent;
create index staged_items_by_parent on staged_items (run_id, pass, parent_id) where parent_id is not null;
