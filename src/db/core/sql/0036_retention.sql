-- When a host forgot these of a run. A run that is healed later ends again, and is looked at again.
alter table runs
  add column personal_forgotten_at timestamptz,
  add column originals_forgotten_at timestamptz,
  add column findings_forgotten_at timestamptz;

create index runs_with_personal_originals on runs (finished_at)
  where personal_forgotten_at is null or personal_forgotten_at < finished_at;
create index runs_with_originals on runs (finished_at)
  where originals_forgotten_at is null or originals_forgotten_at < finished_at;
create index runs_with_findings on runs (finished_at)
  where findings_forgotten_at is null or findings_forgotten_at < finished_at;
