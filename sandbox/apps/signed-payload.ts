import { createHmac, randomUUID } from 'node:crypto'
import type { App } from './apps.ts'
import { OWNER, type StorePerson } from './people.ts'

export interface PayloadWish {
  user: StorePerson
  /** How long ago the platform signed it; 0 by default. Negative: the platform's clock is ahead. */
  secondsAgo?: number
  /** Replaces claims; null leaves one out. */
  claims?: Record<string, unknown>
  /** `HS256` by default. `none` leaves the signature empty. */
  algorithm?: 'HS256' | 'HS512' | 'none'
  /** Signs with another secret. */
  secret?: string
}

/** Source: BigCommerce "Single-Click App Callback Handlers": `exp` is 24 hours after `nbf`. */
const LIFE_SECONDS = 24 * 60 * 60
/** In the example there, `nbf` is 5 s before `iat`. */
const EARLIER_SECONDS = 5

/** A `signed_payload_jwt`. Source: BigCommerce "Single-Click App Callback Handlers". */
export function signedPayload(app: App, hash: string, wish: PayloadWish): string {
  const { user, secondsAgo = 0, claims = {}, algorithm = 'HS256', secret = app.clientSecret } = wish
  const iat = Math.floor(Date.now() / 1000) - secondsAgo
  const nbf = iat - EARLIER_SECONDS
  const usual = {
    aud: app.clientId,
    iss: 'bc',
    iat,
    nbf,
    exp: nbf + LIFE_SECONDS,
    jti: randomUUID(),
    sub: `stores/${hash}`,
    user: { ...user, locale: 'en-US' },
    owner: OWNER,
    url: '/',
    channel_id: null,
  }
  const wished = Object.entries({ ...usual, ...claims }).filter(([name, value]) => !(name in claims) || value !== null)
  const unsigned = `${encode({ typ: 'JWT', alg: algorithm })}.${encode(Object.fromEntries(wished))}`
  if (algorithm === 'none') return `${unsigned}.`
  const digest = algorithm === 'HS256' ? 'sha256' : 'sha512'
  return `${unsigned}.${createHmac(digest, secret).update(unsigned).digest('base64url')}`
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
