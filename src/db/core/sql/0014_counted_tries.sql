-- A try is counted before it is judged, so that tries at the same moment cannot outrun the limit (S34). One that was right is deleted.
alter table login_failures
  add column id bigint generated always as identity primary key,
  -- Whether it has been judged. Until then it counts like a failure.
  add column settled boolean not null default true;
