-- Which API account a run wrote with, as far as the destination told: metafields belong to the account that made them, and another
-- one may not see them. stores.platform_client_id keeps the account of the first copies.
alter table preflights add column destination_client text;
