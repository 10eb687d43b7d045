import type { Role } from '../contract/permissions.ts'

/** A member of an organisation, verified on this very request. Every query takes `organisationId` from here and nowhere else (S2). */
export interface Caller {
  userId: string
  organisationId: string
  role: Role
  /** Version of the credential secret the bearer token was issued with; writes re-check it inside their transaction (S6). */
  secretVersion: number
}

/** Someone who has not said who they are; only `public` operations take one. */
export interface Visitor {
  /** Address of the peer, for counting failed logins. */
  address: string
}

/** The platform's own staff. `userId` is null on the command line, where nobody is signed in. */
export interface Administrator {
  userId: string | null
}
