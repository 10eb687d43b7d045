-- What the history shows of a run that has ended: taking it from the documents of a page takes far longer than the rest
-- of the request. It has the revision of the snapshot, because a process of the version before changes the document only.
alter table snapshots add column line json;
update snapshots set line = json_build_object('revision', revision, 'source', document -> 'source',
  'destination', document -> 'destination', 'status', document -> 'status', 'counters', document -> 'counters',
  'failuresOpen', document -> 'failuresOpen', 'timestamps', document -> 'timestamps',
  'summaryLine', document -> 'summaryLine');
