import type { Role } from '../contract/permissions.ts'

/** A member of an organisation, verified on this very request. Every query takes `organisationId` from here and nowhere else (S2). */
export interface Member {
  userId: string
  organisationId: string
  role: Role
}

/** A member's server, with a bearer token. */
export interface BearerCaller extends Member {
  /** Version of the credential secret the bearer token was issued with; writes re-check it inside their transaction (S6). */
  secretVersion: number
}

/** A member in the portal, with its cookie. */
export interface SessionCaller extends Member {
  /** Writes look inside their transaction whether the session is still there (S6). */
  sessionHash: Buffer
}

/** A member's assistant, with an access token: it reads, and nothing else. */
export interface ToolCaller extends Member {
  oauthClientId: string
  scope: string
  expiresAt: Date
  /** As user and organisation are called; found on this request with all the rest. */
  userName: string
  organisationName: string
}

export type Caller = BearerCaller | SessionCaller | ToolCaller

/** A person in the portal, of whatever organisations. What concerns the person alone takes this one. */
export interface SignedIn {
  user: { id: string; firstName: string; lastName: string; email: string; isAdministrator: boolean }
  sessionHash: Buffer
  startedAt: Date
}

/** Someone who has not said who they are; only `public` operations take one. */
export interface Visitor {
  /** Address of the peer, for counting failed logins. */
  address: string
  /** As the browser sent it: a sign-in ends the session it had. */
  cookieHeader?: string | undefined
}

/** The platform's own staff. `userId` is null on the command line, where nobody is signed in. */
export interface Administrator {
  userId: string | null
  /** Of the portal; absent on the command line. */
  sessionHash?: Buffer
}
