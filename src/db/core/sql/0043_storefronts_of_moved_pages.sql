-- The storefront of the source whose page it is, as links name it; null if it may be on any. Another storefront may have another page at the path.
alter table moved_addresses add column storefront text;
