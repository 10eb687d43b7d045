import { createHmac, randomBytes } from 'node:crypto'

/** Source: Standard Webhooks 1.0.0, "Signature scheme": 24 to 64 random bytes in base64 after this prefix. */
const prefix = 'whsec_'
const secretBytes = 32

export function newWebhookSecret(): string {
  return `${prefix}${randomBytes(secretBytes).toString('base64')}`
}

/**
 * The headers that authenticate a message.
 *
 * @param secrets each signs; during a rotation the receiver may know either
 */
export function signedHeaders(
  { id, at, body }: { id: string; at: Date; body: string },
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
