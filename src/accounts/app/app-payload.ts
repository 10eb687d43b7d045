import { errors, jwtVerify } from 'jose'
import { z } from 'zod'
import type { Clock } from '../../clock.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { storeHash } from '../../contract/stores.ts'

/** What a signed callback of the platform says. */
export interface AppCallback {
  /** The store that it is about. */
  hash: string
  issuedAt: Date
  /** Whether the person who caused it owns the store. */
  byOwner: boolean
}

/** `stores/{hash}`, as the platform names a store in callbacks and tokens. */
export const storeContext = z
  .string()
  .startsWith('stores/')
  .transform((context) => context.slice('stores/'.length))
  .pipe(storeHash)

/** Our choice: if it were smaller, a clock that drifts would refuse real callbacks. */
const toleranceSeconds = 60
/** Source: BigCommerce "Single-Click App Callback Handlers": `exp` is 24 hours after `nbf`. */
const mostSeconds = 24 * 60 * 60

const claims = z.object({
  sub: storeContext,
  iat: z.int(),
  user: z.object({ id: z.int() }),
  owner: z.object({ id: z.int() }),
})

/**
 * Verifies a `signed_payload_jwt` with nothing left open (S1): HS256 with the app's client secret, issuer `bc`, the
 * app's client id as audience, and all three times.
 *
 * @throws ServiceError `unauthorized`, with the same message for every cause
 */
export async function readAppPayload(
  payload: string,
  { clientId, clientSecret, clock }: { clientId: string; clientSecret: string; clock: Clock },
): Promise<AppCallback> {
  try {
    const verified = await jwtVerify(payload, new TextEncoder().encode(clientSecret), {
      algorithms: ['HS256'],
      issuer: 'bc',
      audience: clientId,
      clockTolerance: toleranceSeconds,
      // Also refuses an `iat` in the future.
      maxTokenAge: mostSeconds,
      currentDate: clock.now(),
      requiredClaims: ['iat', 'nbf', 'exp', 'sub'],
    })
    const { sub, iat, user, owner } = claims.parse(verified.payload)
    return { hash: sub, issuedAt: new Date(iat * 1000), byOwner: user.id === owner.id }
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof z.ZodError) throw refusal(error)
    throw error
  }
}

function refusal(cause: unknown): ServiceError {
  return new ServiceError(
    'unauthorized',
    'This request is not signed by BigCommerce for this app, or it is too old. Open the app in the control panel of the store again. If that does not help, the people who run this service have to check the client secret of the app and the clock of the server.',
    { cause },
  )
}
