-- A destination-only item that was deleted has a row of its own, so that it is counted once whatever dies (E3). Its source_id is
-- 'there:' and its destination id.
alter table ledger drop constraint ledger_state_check;
alter table ledger add constraint ledger_state_check
  check (state in ('pending', 'created', 'updated', 'matched', 'skipped', 'failed', 'cancelled', 'pruned'));
