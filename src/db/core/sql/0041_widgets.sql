-- Widgets that the pages of a component put on the destination: MigrationDetail tells them beside the pages themselves.
alter table run_counters add column widgets integer not null default 0;
