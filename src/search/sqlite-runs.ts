import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../clock.ts'
import { type IssueDocument, type RunDocument, type RunKey, RunReplaced } from './search-store.ts'
import { inTransaction, SearchFileBusy, type SqliteFile } from './sqlite-file.ts'

/**
 * How many issues are written or removed in one transaction. SQLite blocks this process, and other writers wait: a
 * larger number delays responses of the service, a smaller one takes more transactions.
 */
const atOnce = 200

/**
 * Writes a run and its issues, a few per transaction. Readers see the old state until the last transaction and the new
 * state after it. If the process dies, no reader sees the issues it leaves, and the next writing of the run removes
 * them.
 *
 * @throws RunReplaced
 */
export async function writeRun(
  writer: Writer,
  run: RunDocument,
  issues: AsyncIterable<IssueDocument[]>,
): Promise<void> {
  const writing = await write(writer, (database) => beginWriting(database, run))
  for await (const page of issues) {
    for (let from = 0; from < page.length; from += atOnce) {
      await write(writer, (database) => {
        expectOpen(database, run, writing)
        insertIssues(database, run, writing, page.slice(from, from + atOnce))
      })
      await rest(writer)
    }
  }
  await write(writer, (database) => {
    expectOpen(database, run, writing)
    showWriting(database, run, writing)
    closeWritings(database, run, writing)
  })
  await removeClosed(writer, run)
}

export async function eraseRun(writer: Writer, run: RunKey): Promise<void> {
  await write(writer, (database) => {
    database.prepare('delete from runs where organisation_id = ? and run_id = ?').run(run.organisationId, run.runId)
    closeWritings(database, run, null)
  })
  await removeClosed(writer, run)
}

/**
 * Writes the file anew without what was deleted, and empties the log beside it. The text index keeps the words of
 * deleted issues until its parts are merged.
 */
export async function compact(writer: Writer): Promise<void> {
  await write(writer, (database) => database.exec("insert into issue_texts (issue_texts) values ('optimize')"))
  await whenFree(writer, (database) => database.exec('vacuum'))
  await writer.emptyLog()
}

/** How long to wait for a writer in another process, which needs a moment for each of its transactions. */
const busyMs = 5_000
const triedAgainMs = 10

/** One transaction. While another process is writing, this one goes on with other work. */
export function write<Result>(writer: Writer, work: (database: DatabaseSync) => Result): Promise<Result> {
  return whenFree(writer, (database) => inTransaction(database, () => work(database)))
}

async function whenFree<Result>({ file, clock }: Writer, work: (database: DatabaseSync) => Result): Promise<Result> {
  const deadline = clock.monotonicMs() + busyMs
  for (;;) {
    try {
      return file.use(work)
    } catch (error) {
      if (!(error instanceof SearchFileBusy) || clock.monotonicMs() > deadline) throw error
      await clock.sleep(triedAgainMs)
    }
  }
}

export interface Writer {
  file: SqliteFile
  clock: Clock
  keepLogShort(): Promise<void>
  /** @throws SearchStoreAway */
  emptyLog(): Promise<void>
}

function beginWriting(database: DatabaseSync, { organisationId, runId }: RunKey): number {
  const insert = database.prepare('insert into writings (organisation_id, run_id) values (?, ?)')
  return Number(insert.run(organisationId, runId).lastInsertRowid)
}

/**
 * Compares the run too: the file may have been deleted in the meantime, and a new one assigns the same numbers again.
 */
function expectOpen(database: DatabaseSync, { organisationId, runId }: RunKey, writing: number): void {
  const found = database
    .prepare('select 1 from writings where number = ? and organisation_id = ? and run_id = ? and closed = 0')
    .get(writing, organisationId, runId)
  if (!found) throw new RunReplaced('This run is written to the search index by another process.')
}

function insertIssues(database: DatabaseSync, run: RunKey, writing: number, issues: IssueDocument[]): void {
  const insert = database.prepare(`
    insert into issues
      (writing, organisation_id, run_id, id, first_micros, last_micros, code, severity, phase, state, source_id,
        destination_id, body)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const insertTexts = database.prepare(
    'insert into issue_texts (rowid, message, source_id, name, sku, code) values (?, ?, ?, ?, ?, ?)',
  )
  const count = database.prepare(`
    insert into counts (writing, code, severity, phase, state, issues) values (?, ?, ?, ?, ?, 1)
    on conflict do update set issues = issues + 1`)
  for (const issue of issues) {
    const { id, firstMicros, lastMicros, code, severity, phase, state, sourceId, destinationId, texts, body } = issue
    const moments = [Number(firstMicros), Number(lastMicros)] as const
    const { lastInsertRowid } = insert.run(
      ...[writing, run.organisationId, run.runId, id, ...moments],
      ...[code, severity, phase, state, sourceId, destinationId, body],
    )
    const [message = '', source = '', name = '', sku = '', codeText = ''] = texts
    insertTexts.run(lastInsertRowid, message, source, name, sku, codeText)
    count.run(writing, code, severity, phase, state)
  }
}

function showWriting(database: DatabaseSync, run: RunDocument, writing: number): void {
  const { organisationId, runId, revision, document } = run
  database
    .prepare(`
      insert into runs (organisation_id, run_id, writing, revision, document) values (?, ?, ?, ?, ?)
      on conflict do update set writing = excluded.writing, revision = excluded.revision, document = excluded.document`)
    .run(organisationId, runId, writing, revision, document)
}

/** @param shown the writing that stays open; null for none. */
function closeWritings(database: DatabaseSync, { organisationId, runId }: RunKey, shown: number | null): void {
  database
    .prepare('update writings set closed = 1 where organisation_id = ? and run_id = ? and number is not ?')
    .run(organisationId, runId, shown)
}

async function removeClosed(writer: Writer, { organisationId, runId }: RunKey): Promise<void> {
  const closed = await write(writer, (database) =>
    database
      .prepare('select number from writings where organisation_id = ? and run_id = ? and closed = 1')
      .all(organisationId, runId),
  )
  for (const { number } of closed)
    while (!(await write(writer, (database) => removeSome(database, Number(number))))) await rest(writer)
}

/**
 * Deletes the row of a writing last, so that the remains are found again if the process dies here. @returns whether the
 * row is gone.
 */
function removeSome(database: DatabaseSync, writing: number): boolean {
  const some = `select number from issues where writing = ? limit ${atOnce}`
  database.prepare(`delete from issue_texts where rowid in (${some})`).run(writing)
  const { changes } = database.prepare(`delete from issues where number in (${some})`).run(writing)
  if (changes > 0) return false
  database.prepare('delete from counts where writing = ?').run(writing)
  database.prepare('delete from writings where number = ?').run(writing)
  return true
}

/** Lets this process handle what has arrived in the meantime. */
async function rest({ keepLogShort }: Writer): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
  await keepLogShort()
}
