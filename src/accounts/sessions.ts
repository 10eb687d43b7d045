import { randomBytes } from 'node:crypto'
import type { Clock } from '../clock.ts'
import { limits } from '../contract/primitives/limits.ts'
import {
  deleteEndedSessions,
  deleteSession,
  findSession,
  insertSession,
  type SessionTimes,
  touchSession,
} from '../db/accounts/sessions.ts'
import type { Database, InTransaction } from '../db/core/database.ts'
import type { SignedIn } from './caller.ts'
import { sha256 } from './credential-secret.ts'
import { readSessionCookie } from './session-cookie.ts'

/** Who is signed in to the portal: one row per browser, by the hash of what its cookie holds (S13). */
export interface Sessions {
  /**
   * Who a `Cookie` header speaks for at this moment; the one question a page asks.
   *
   * @returns undefined for nobody: no cookie, a forged one, a session that ended, or a user who was deactivated.
   */
  find(cookieHeader: string | undefined): Promise<SignedIn | undefined>
  /** Renewed at sign-in: what the browser had before ends with the transaction. @returns what its cookie is to hold from now on. */
  begin(transaction: InTransaction, userId: string, cookieHeader: string | undefined): Promise<string>
}

/** How stale `seen_at` may be: smaller, and every request of an open page writes; larger, and idle ends come early. */
const touchedEveryMs = 60_000

export function createSessions({ database, clock }: { database: Database; clock: Clock }): Sessions {
  async function find(cookieHeader: string | undefined): Promise<SignedIn | undefined> {
    const id = readSessionCookie(cookieHeader)
    if (id === undefined) return undefined
    const sessionHash = sha256(id)
    const session = await findSession(database, sessionHash, stillCounting(clock))
    if (!session) return undefined
    const now = clock.now()
    if (now.getTime() - session.seenAt.getTime() >= touchedEveryMs) await touchSession(database, sessionHash, now)
    const { userId, firstName, lastName, email, isAdministrator, startedAt } = session
    return { user: { id: userId, firstName, lastName, email, isAdministrator }, sessionHash, startedAt }
  }

  async function begin(transaction: InTransaction, userId: string, cookieHeader: string | undefined): Promise<string> {
    const before = readSessionCookie(cookieHeader)
    if (before !== undefined) await deleteSession(transaction, sha256(before))
    await deleteEndedSessions(transaction, stillCounting(clock))
    const id = randomBytes(32).toString('base64url')
    await insertSession(transaction, { idHash: sha256(id), userId, at: clock.now() })
    return id
  }

  return { find, begin }
}

function stillCounting(clock: Clock): SessionTimes {
  const nowMs = clock.now().getTime()
  return {
    startedAfter: new Date(nowMs - limits.sessionSeconds * 1000),
    seenAfter: new Date(nowMs - limits.sessionIdleSeconds * 1000),
  }
}
