-- How issues name the item of a deferred write; null of earlier ones.
alter table side_effects add column item jsonb;
alter table side_effects alter column item set statistics 0;
