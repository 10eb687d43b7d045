-- What a dry run was priced from: its plan is priced from the same, with the plan's numbers.
create table plan_bases (
  run_id uuid primary key references runs (id) on delete cascade,
  basis jsonb not null
);
