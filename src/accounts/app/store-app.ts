import { z } from 'zod'
import type { Clock } from '../../clock.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { type Outbound, type OutboundAnswer, OutboundRefused } from '../../outbound.ts'
import { type AppCallback, readAppPayload, storeContext } from './app-payload.ts'

/** The app with which merchants connect their stores; see `STOREFERRY_APP_CLIENT_ID` in docs/settings.md. */
export interface StoreApp {
  /**
   * Exchanges the code of an installation for the token of its store.
   *
   * @throws ServiceError `validation_failed` if the code is wrong, used or too old, `platform_error` or `unavailable`
   */
  exchange(grant: AppGrant): Promise<GrantedToken>
  /** @throws ServiceError `unauthorized` unless the platform signed it for this app, within its time */
  verify(payload: string): Promise<AppCallback>
}

/** The query of the platform's request to `/auth`. */
export interface AppGrant {
  code: string
  hash: string
  scope: string
}

export interface GrantedToken {
  token: string
  /** By the platform's clock, like the times of its callbacks; in whole seconds. */
  grantedAt: Date
}

interface AppDeps {
  clientId: string
  clientSecret: string
  /** Where the platform exchanges codes; a sandbox may stand in for it. */
  loginUrl: string
  siteUrl: string
  clock: Clock
  outbound: Outbound
}

/** The path of the auth callback, which the platform compares with that of the app's profile. */
export const authCallbackPath = '/auth'

const headers = { accept: 'application/json', 'content-type': 'application/json' }

/** The answer has less than 1 KB. */
const maxBytes = 64 * 1024
/** A merchant is waiting in front of an empty page. */
const timeoutMs = 15_000

/** Source: BigCommerce "Single-Click App OAuth Flow", the response to the access_token request. */
const granted = z.object({ access_token: z.string().min(1), context: storeContext })

export function createStoreApp({ outbound, loginUrl, siteUrl, ...app }: AppDeps): StoreApp {
  const { clientId, clientSecret, clock } = app

  async function exchange({ code, hash, scope }: AppGrant): Promise<GrantedToken> {
    const body = JSON.stringify({
      client_id: clientId,
      client_secret: clientSecret,
      code,
      context: `stores/${hash}`,
      scope,
      grant_type: 'authorization_code',
      redirect_uri: siteUrl + authCallbackPath,
    })
    const url = `${loginUrl}/oauth2/token`
    const answer = await outbound({ url, method: 'POST', headers, body, maxBytes, timeoutMs }).catch(
      (error: unknown) => {
        throw noAnswer(error)
      },
    )
    const { access_token: token, context } = parseGranted(answer)
    // Otherwise a code of one store would put its token beside the name of another.
    if (context !== hash) throw wrongCode('It belongs to another store.')
    return { token, grantedAt: platformTime(answer, clock) }
  }

  return { exchange, verify: (payload) => readAppPayload(payload, app) }
}

function parseGranted(answer: OutboundAnswer): z.infer<typeof granted> {
  const { httpStatus } = answer
  if (httpStatus === 401 || httpStatus === 403) throw wrongSecret(httpStatus)
  if (httpStatus === 400 || httpStatus === 422) throw wrongCode('It was used, is too old, or is not of this app.')
  const parsed = httpStatus === 200 ? granted.safeParse(jsonOf(answer.body)) : undefined
  if (parsed?.success) return parsed.data
  throw new ServiceError(
    'platform_error',
    `BigCommerce gave no token for the installation (HTTP ${httpStatus}). Install the app again in a minute.`,
    { upstreamStatus: httpStatus },
  )
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

function wrongCode(why: string): ServiceError {
  const message = `BigCommerce does not accept the code of this installation. ${why} Install the app again.`
  return new ServiceError('validation_failed', message, { errors: { code: [message] } })
}

function wrongSecret(httpStatus: number): ServiceError {
  return new ServiceError(
    'platform_error',
    'BigCommerce does not accept the client secret of the app. The people who run this service have to correct STOREFERRY_APP_CLIENT_ID and STOREFERRY_APP_CLIENT_SECRET; then install the app again.',
    { upstreamStatus: httpStatus },
  )
}

/** The messages of sockets and of the outbound client never contain the body. */
function noAnswer(cause: unknown): ServiceError {
  const why = cause instanceof OutboundRefused ? ` ${cause.message}` : ''
  return new ServiceError('unavailable', `BigCommerce does not answer.${why} Install the app again in a minute.`, {
    retryAfterSeconds: 60,
    cause,
  })
}

/** @returns the time of the answer, which has no fractions of a second; ours if the answer does not have any */
function platformTime({ headers }: OutboundAnswer, clock: Clock): Date {
  const answeredMs = Date.parse(headers.date ?? '')
  return new Date(Number.isNaN(answeredMs) ? Math.floor(clock.now().getTime() / 1000) * 1000 : answeredMs)
}
