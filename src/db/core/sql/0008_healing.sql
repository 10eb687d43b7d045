-- What healing needs. Issues outlive the ledger, so healing never looks there (F3).

-- Where the item belongs, to read it again; '' where an issue is about no item.
alter table issues add column pass text not null default '';
alter table issues add column root_id text not null default '';
-- What the rule being tried does, in words; becomes the message when the issue is healed.
alter table issues add column told text;
-- Rule -> what it was about when it was tried last: the same again is not tried (F4).
alter table issues add column tried jsonb not null default '{}';
-- Round and pass of the last try: each item is tried once in a pass.
alter table issues add column tried_in text not null default '';
create index issues_to_heal on issues (run_id, pass, root_id) where state = 'open';

-- Items that an open failure stands for: one issue tells of a product and all that would hang on it. An item that is there
-- after all leaves this table in the transaction that counts it.
create table failed_items (
  run_id uuid not null references runs (id) on delete cascade,
  component text not null,
  source_id text not null,
  issue_id uuid not null references issues (id) on delete cascade,
  primary key (run_id, component, source_id)
);
create index failed_items_by_issue on failed_items (issue_id);

-- Which healing of the run this is: 0 is its own, each one that a person asks for is another. Passes and time are counted for
-- each (F4).
alter table runs add column heal_round integer not null default 0;
alter table runs add column heal_pass integer not null default 0;
alter table runs add column heal_ms bigint not null default 0;
