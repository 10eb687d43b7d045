-- Data of shoppers that only the destination has: `replace` keeps it unless a request names it (G3).
alter table differences add column kept boolean not null default false;
