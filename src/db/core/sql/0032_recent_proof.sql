-- When the person last gave the password, and the code where they have a second step: at the sign-in, or later for what asks for it again
-- (S14, S33).
alter table sessions add column proved_at timestamptz;
update sessions set proved_at = started_at;
alter table sessions alter column proved_at set not null;
