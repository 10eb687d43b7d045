-- A duty is due once a run has done all else. Until a run can, hosts try what is due (D5).
alter table duties
  add column due_at timestamptz,
  -- When a host tried it last.
  add column tried_at timestamptz,
  -- Since when it is known to an administrator that it has waited for too long; a run that comes to it begins anew.
  add column told_at timestamptz;
