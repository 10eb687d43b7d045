-- Whether what failed is being tried again at this moment, between the steps of a run. In a round that a person requested it is all the time.
alter table runs add column healing boolean not null default false;
