-- A person may accept a difference as it is: then it no longer counts as one that needs review.
alter table differences add column state text not null default 'open' check (state in ('open', 'dismissed'));
