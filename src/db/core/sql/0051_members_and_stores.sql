-- A disconnected store keeps its row, with what was copied from and to it, and loses its token: connected again it goes on where it
-- was, and nothing is copied twice (S6).
alter table stores alter column token_encrypted drop not null;
alter table stores add column disconnected_at timestamptz;
alter table stores add constraint token_while_connected check ((token_encrypted is null) = (disconnected_at is not null));

create index audit_by_actor on audit (actor_user_id, id);
