import type { Database, InTransaction } from '../../db/core/database.ts'

class Undone extends Error {
  override name = 'Undone'
}

/**
 * A transaction whose work is kept, or undone once its result is known: what an erasure would do is found by doing it,
 * so that both ways count the same.
 */
export async function inTransaction<Result>(
  { database }: { database: Database },
  work: (tx: InTransaction) => Promise<Result>,
  { keep }: { keep: boolean },
): Promise<Result> {
  let done: { result: Result } | undefined
  try {
    await database.transaction().execute(async (tx) => {
      done = { result: await work(tx) }
      if (!keep) throw new Undone()
    })
  } catch (error) {
    if (!(error instanceof Undone)) throw error
  }
  if (!done) throw new Error('The transaction ended without a result.')
  return done.result
}
