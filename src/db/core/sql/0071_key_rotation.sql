-- What every purpose but encryption derives from: the database's first master key, sealed under the present one. Null as long as the
-- present one is the first.
alter table encryption_check add column root_sealed bytea;
