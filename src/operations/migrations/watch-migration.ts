import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Caller } from '../../accounts/caller.ts'
import type { MigrationDetail } from '../../contract/migration.ts'
import { limits } from '../../contract/primitives/limits.ts'
import { type StreamedEvent, watchMigrationInput } from '../../contract/run-events.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { isLive } from '../../contract/status.ts'
import { detailOf, findHead } from '../../db/runs/snapshots.ts'
import { confirmCaller } from '../shared/confirm-caller.ts'
import { orNotFound } from '../shared/find-migration.ts'
import { openCursor, sealCursor } from '../shared/list-cursor.ts'
import { Answer, type Deps, defineOperation } from '../shared/operation.ts'

/** How often a migration is read: often enough to look live, and rarely enough for fifty streams. */
const lookEveryMs = 1_000
/** How often the caller's access is checked again during a long response (S6). */
const confirmEveryMs = 10_000

/** The content of an event id, which tells whether the caller has seen the current state. */
const position = z.strictObject({ seen: z.string() })

/** The number of open streams in this process, by organisation. */
const openStreams = new Map<string, number>()

export const watchMigration = defineOperation({
  name: 'watch-migration',
  summary:
    'Server-sent events: the migration whenever it changes, until it ends. With Last-Event-ID, only changes since that event.',
  input: watchMigrationInput,
  output: z.string(),
  async run({ id, lastEventId }, caller, deps) {
    const { organisationId } = caller
    const run = orNotFound(await findHead(deps.database, organisationId, id), id)
    const cursorScope = { list: `events of ${run.id}`, organisationId, filters: {} }
    // The id of another stream is ignored, so the stream begins with the current state.
    const seen = readPosition(deps, cursorScope, lastEventId)
    const first = await detailOf(deps.database, run)
    // Browsers reconnect when a stream ends, unless they get a 204.
    if (!isLive(first.status) && digest(first) === seen) return new Answer('', { nothingMore: true })
    refuseTooMany(organisationId)
    const events = follow({ id: run.id, caller, seen, cursorScope }, deps)
    return new Answer('', { events })
  },
})

type CursorScope = Parameters<typeof sealCursor>[1]

function readPosition({ keyring }: Deps, cursorScope: CursorScope, lastEventId: string | undefined): string | null {
  try {
    return openCursor(keyring, cursorScope, position, lastEventId)?.seen ?? null
  } catch (error) {
    if (error instanceof ServiceError) return null
    throw error
  }
}

function refuseTooMany(organisationId: string): void {
  if ((openStreams.get(organisationId) ?? 0) < limits.streamsPerOrganisation) return
  throw new ServiceError(
    'rate_limited',
    `Your organisation already has ${limits.streamsPerOrganisation} event streams open; close one, or poll GET /v2/migrations/{id}.`,
    { retryAfterSeconds: 10 },
  )
}

interface Following {
  id: string
  caller: Caller
  /** Digest of the state that the caller has seen. */
  seen: string | null
  cursorScope: CursorScope
}

/** Ends when the migration ends, when the caller loses access, or after an hour. Null is a heartbeat. */
async function* follow({ id, caller, seen, cursorScope }: Following, deps: Deps): AsyncGenerator<StreamedEvent | null> {
  const { database, keyring, clock } = deps
  const { organisationId } = caller
  const begunMs = clock.monotonicMs()
  let confirmedMs = begunMs
  let last = seen
  openStreams.set(organisationId, (openStreams.get(organisationId) ?? 0) + 1)
  try {
    while (clock.monotonicMs() - begunMs < limits.streamSeconds * 1000) {
      if (clock.monotonicMs() - confirmedMs >= confirmEveryMs) {
        if (!(await stillMay(caller, deps))) return
        confirmedMs = clock.monotonicMs()
      }
      const run = await findHead(database, organisationId, id)
      if (!run) return
      const detail = await detailOf(database, run)
      const now = digest(detail)
      const eventId = sealCursor(keyring, cursorScope, { seen: now })
      if (now === last) yield null
      else yield { id: eventId, event: 'migration', data: detail }
      last = now
      if (!isLive(detail.status)) {
        yield { id: eventId, event: 'end', data: { status: detail.status } }
        return
      }
      await clock.sleep(lookEveryMs)
    }
  } finally {
    const left = (openStreams.get(organisationId) ?? 1) - 1
    if (left > 0) openStreams.set(organisationId, left)
    else openStreams.delete(organisationId)
  }
}

async function stillMay(caller: Caller, { database }: Deps): Promise<boolean> {
  try {
    await database.transaction().execute((tx) => confirmCaller(tx, caller, 'watch-migration'))
    return true
  } catch (error) {
    if (error instanceof ServiceError) return false
    throw error
  }
}

function digest(detail: MigrationDetail): string {
  return createHash('sha256').update(JSON.stringify(detail)).digest('base64url')
}
