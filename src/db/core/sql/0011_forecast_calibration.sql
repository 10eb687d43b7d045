-- What a forecast said, beside what came of it.

-- Seconds before the pair's own correction: the next correction is learned from these, not from what it corrected itself.
alter table run_phase_times add column calculated_seconds real;

-- Calls that were forecast; null when the run had no forecast.
alter table run_calls add column predicted integer;
