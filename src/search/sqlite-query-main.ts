import type { DatabaseSync } from 'node:sqlite'
import { SqliteFile } from './sqlite-file.ts'
import { fileQueries } from './sqlite-queries.ts'
import type { QueryAnswer, QueryMessage } from './sqlite-query-process.ts'

/** Waiting blocks only this process. */
const busyMs = 2_000

const [, , path = ''] = process.argv
const reading = new SqliteFile(path, { busyMs, readOnly: true })
const writing = new SqliteFile(path, { busyMs })

process.on('message', (message: QueryMessage) => {
  // A service that is gone wants no answer.
  if (process.connected) process.send?.(answerTo(message), undefined, {}, () => undefined)
})

// Sent to a whole terminal or unit: the service, which may still need answers, ends this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)

function answerTo({ name, given }: QueryMessage): QueryAnswer {
  // Each query takes what the service gives with its name.
  const query = fileQueries[name] as (database: DatabaseSync, ...given: unknown[]) => unknown
  const file = name === 'emptyLog' ? writing : reading
  try {
    return { found: query(file.connect(), ...given) }
  } catch (error) {
    file.close()
    const { message, code, errcode } = error as { message?: string; code?: unknown; errcode?: unknown }
    return { failed: { message: message ?? String(error), code, errcode } }
  }
}
