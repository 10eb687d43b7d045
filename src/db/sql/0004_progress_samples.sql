-- How fast a run goes, and what its readers were told.

-- One row every two seconds of work; the rate is taken over the last 30 s of working time, so pauses leave it alone.
create table progress_samples (
  run_id uuid not null references runs (id) on delete cascade,
  worked_ms bigint not null,
  terminal_items bigint not null,
  at timestamptz not null default now(),
  primary key (run_id, worked_ms)
);

-- The highest percentage any reader was shown: totals grow while a store is read, the bar never goes back.
alter table runs add column percent_reached real not null default 0 check (percent_reached < 100);

create index issues_by_run on issues (run_id, first_at, id);
create index differences_by_run on differences (run_id, id);
create index runs_unpriced on runs (created_at) where forecast is null;
