import { startForwarding } from './forward-calls.ts'

export interface SentBody {
  method: string
  /** Without the store and the query: `/v3/catalog/brands`. */
  path: string
  body: unknown
}

/** Forwards calls to an address that is named later, and keeps the JSON bodies that were sent. */
export async function startKeepingBodies(): Promise<{
  url: string
  sent: SentBody[]
  forwardTo(address: string): void
  stop(): Promise<void>
}> {
  const sent: SentBody[] = []
  let to = ''
  const { url, stop } = await startForwarding(
    () => to,
    async () => undefined,
    ({ method = '', url: target = '', headers }, body) => {
      if (body.length === 0 || !headers['content-type']?.startsWith('application/json')) return
      const path = target.replace(/^\/stores\/[^/]+/, '').replace(/\?.*$/, '')
      sent.push({ method, path, body: JSON.parse(body.toString('utf8')) })
    },
  )
  return {
    url,
    sent,
    forwardTo(address) {
      to = address
    },
    stop,
  }
}
