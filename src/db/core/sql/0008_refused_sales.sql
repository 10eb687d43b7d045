-- What refused calls for an order named: the platform may have taken it from the stock all the same (G15).
alter table stock_sold add column refused integer not null default 0;
