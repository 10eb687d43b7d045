-- The search index has this revision of the run already and only writes it again, so it answers meanwhile.
alter table outbox add column renewal boolean not null default false;
