/** Changing the number causes a new index to be built from PostgreSQL. */
export const schemaVersion = 4

/**
 * Parts of texts are found by trigrams, as in PostgreSQL. Each text has its own column, because a match never spans two
 * texts. The text index keeps no copy of the texts.
 *
 * A run is written in several transactions. Its issues belong to a writing, and readers see those of the writing that
 * the run's row names. Until that row changes, they see the old state.
 */
export const schema = `
  create table meta (name text primary key, value text not null) strict, without rowid;
  create table runs (
    organisation_id text not null, run_id text not null, writing integer not null, revision integer not null,
    document text not null, primary key (organisation_id, run_id)
  ) strict;
  create table writings (
    number integer primary key autoincrement, organisation_id text not null, run_id text not null,
    -- 1 when a later one is shown: what is left of it is to be removed.
    closed integer not null default 0
  ) strict;
  create index writings_by_run on writings (organisation_id, run_id);
  create table issues (
    number integer primary key, writing integer not null, organisation_id text not null, id text not null,
    run_id text not null, first_micros integer not null, last_micros integer not null, code text not null,
    severity text not null, phase text not null, state text not null, source_id text not null, destination_id text, body text not null
  ) strict;
  -- How many issues of a writing have these values: counting them one by one would stop the process.
  create table counts (
    writing integer not null, code text not null, severity text not null, phase text not null, state text not null,
    issues integer not null, primary key (writing, code, severity, phase, state)
  ) strict, without rowid;
  create index issues_by_writing on issues (writing);
  create index issues_by_id on issues (organisation_id, id);
  create index issues_by_time on issues (organisation_id, first_micros, id);
  create virtual table issue_texts using fts5 (
    message, source_id, name, sku, code, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
  );
  -- Merges block the process that writes. By default a part of the text index is merged when a tenth of it is deleted, and a level as a
  -- whole when it has 16 parts.
  insert into issue_texts (issue_texts, rank) values ('deletemerge', 50), ('automerge', 8), ('crisismerge', 64);
  pragma user_version = ${schemaVersion};
`
