-- The line of the history, for its text filter: reading it from the document of each run takes too long. Null where a
-- process of the version before wrote the snapshot.
alter table snapshots add column summary text;
update snapshots set summary = document ->> 'summaryLine';
