-- Adoption is one to one (B6), except where several source items may share a destination item: those differ by their source ids. One
-- index for both, so that what is known of a destination item is found by it, whatever the item is: a partial one serves only queries that
-- repeat its condition, and the others read every mapping of the component.
drop index mappings_one_to_one;
create unique index mappings_one_to_one on mappings
  (source_store_id, destination_store_id, scope, component, destination_id, (case when many_to_one then source_id else '' end));
