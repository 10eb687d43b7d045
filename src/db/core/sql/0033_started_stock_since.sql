-- When the item was created, by the clock of the database: the list of stock may not show it yet (G1).
alter table started_stock add column created_at timestamptz not null default now();
