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
import type { SignedIn, Visitor } from './caller.ts'
import { sha256 } from './credential-secret.ts'
import { readSessionCookie } from './session-cookie.ts'

/** Portal sessions: one row per browser, keyed by the hash of its cookie (S13). */
export interface Sessions {
  /**
   * Finds the person signed in with a `Cookie` header.
   *
   * @returns undefined without a cookie, with a forged one, after the end of the session, or for a deactivated user
   */
  find(cookieHeader: string | undefined): Promise<SignedIn | undefined>
  /**
   * Starts a session and ends the browser's previous one.
   * @returns the value of the new cookie
   */
  begin(transaction: InTransaction, userId: string, visitor: Visitor | undefined): Promise<string>
}

/**
 * How stale `seen_at` may be. If it were smaller, every request of an open page would write. If it were larger, idle
 * sessions would end too early.
 */
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
    const { userId, firstName, lastName, email, isAdministrator, ...rest } = session
    const { startedAt, provedAt, generation, hasSecondStep } = rest
    const user = { id: userId, firstName, lastName, email, isAdministrator }
    return { user, sessionHash, startedAt, provedAt, generation, hasSecondStep }
  }

  async function begin(transaction: InTransaction, userId: string, visitor: Visitor | undefined): Promise<string> {
    const before = readSessionCookie(visitor?.cookieHeader)
    if (before !== undefined) await deleteSession(transaction, sha256(before))
    await deleteEndedSessions(transaction, stillCounting(clock))
    const id = randomBytes(32).toString('base64url')
    const { address = null, agent } = visitor ?? {}
    const shown = { address, agent: agent?.slice(0, limits.textLength) ?? null }
    await insertSession(transaction, { idHash: sha256(id), userId, at: clock.now(), ...shown })
    return id
  }

  return { find, begin }
}

/** Sessions that started or were last used before these times have ended. */
export function stillCounting(clock: Clock): SessionTimes {
  const nowMs = clock.now().getTime()
  return {
    startedAfter: new Date(nowMs - limits.sessionSeconds * 1000),
    seenAfter: new Date(nowMs - limits.sessionIdleSeconds * 1000),
  }
}
