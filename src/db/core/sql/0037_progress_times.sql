-- When an item of the component last reached, or left, a terminal state: what a run tells as its last progress.
alter table run_counters add column progressed_at timestamptz;
