-- An item may have a copy on each of several storefronts, and each of these copies is switched on. Mails and stock belong to the whole
-- store.
alter table side_effects add column scope text not null default 'store';
-- The last run that had to end it sees the copy.
update side_effects set scope = coalesce(
  (select format('storefront:%s>%s', coalesce(source_storefront, '*'), coalesce(dest_storefront, '*'))
   from runs where id = run_id), 'storefront:*>*')
  where kind = 'deferred-write' and component = 'scripts';
alter table side_effects
  drop constraint side_effects_platform_store_hash_kind_source_store_id_compo_key,
  add unique nulls not distinct (platform, store_hash, kind, source_store_id, component, scope, subject);
