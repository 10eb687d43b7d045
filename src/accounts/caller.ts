import type { Role } from '../contract/accounts/permissions.ts'

/** A member of an organisation, verified for this request. Queries take `organisationId` only from here (S2). */
export interface Member {
  userId: string
  organisationId: string
  role: Role
}

/** A program with a bearer token. */
export interface BearerCaller extends Member {
  /** Version of the credential with which the token was issued. Writes check it again in their transaction (S6). */
  secretVersion: number
  /** The token's `jti`. Writes check that it has not been revoked (S35). */
  tokenId: string
}

/** A member signed in to the portal. */
export interface SessionCaller extends Member {
  /** Writes check in their transaction that this session still exists (S6). */
  sessionHash: Buffer
  /** When the person last gave the password (S14). */
  provedAt: Date
}

/** An assistant with an access token; it can only read. */
export interface ToolCaller extends Member {
  oauthClientId: string
  scope: string
  expiresAt: Date
  /** The names of the user and organisation, read for this request. */
  userName: string
  organisationName: string
}

export type Caller = BearerCaller | SessionCaller | ToolCaller

/** A person signed in to the portal, whatever their organisations. For operations on their own account. */
export interface SignedIn {
  user: { id: string; firstName: string; lastName: string; email: string; isAdministrator: boolean }
  sessionHash: Buffer
  startedAt: Date
  /** When the person last gave the password in this browser, and the code if there is a second step. */
  provedAt: Date
  /** Whether the person signs in with a second step. */
  hasSecondStep: boolean
  /** The generation of the session: it is not valid for a membership that ended after it began (S31). */
  generation: number
}

/** An anonymous caller; only `public` operations accept one. */
export interface Visitor {
  /** IP address, for counting failed logins. */
  address: string
  /** Needed because a sign-in ends the browser's previous session. */
  cookieHeader?: string | undefined
  /** The browser's User-Agent header. */
  agent?: string | undefined
}

/** The platform's own staff. `userId` is null on the command line, which has no signed-in user. */
export interface Administrator {
  userId: string | null
  /** The portal session, and when the person last gave the password in it. Absent on the command line. */
  sessionHash?: Buffer
  provedAt?: Date
}
