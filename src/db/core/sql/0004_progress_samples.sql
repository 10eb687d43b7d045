-- How fast a run goes, and what its readers were told.

-- [[milliseconds worked, items in a terminal state], ...], one every two seconds of work, of the last minute of work. On the run
-- itself: the process that works on it may write there, and they are of no use without it.
alter table runs add column progress_samples jsonb not null default '[]';

-- The highest percentage any reader was shown: totals grow while a store is read, the bar never goes back.
alter table runs add column percent_reached real not null default 0 check (percent_reached < 100);

create index issues_by_run on issues (run_id, first_at, id);
create index differences_by_run on differences (run_id, id);
create index runs_unpriced on runs (created_at) where forecast is null;
