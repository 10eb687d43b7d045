import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { vi } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { type SenderDeps, sendDue } from '../../src/notifications/sender.ts'
import { createOutbound, type Outbound } from '../../src/outbound.ts'
import { aBrowser, type Organisation, type Service, siteUrl } from '../api/a-service.ts'

export interface Received {
  url: string
  headers: IncomingHttpHeaders
  body: string
  at: Date
}

export interface Receiver {
  received: Received[]
  /** How it answers; 204 unless a test says otherwise. */
  answer: (response: ServerResponse, message: Received) => void
  /** The guarded client, to which hooks.example is this receiver. */
  outbound: Outbound
  stop(): Promise<void>
}

/** A receiver of webhooks on this machine. The address rules of the real client apply to every other host. */
export async function startReceiver(service: Service): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { url = '', headers } = request
    const message = { url, headers, body: Buffer.concat(chunks).toString(), at: service.clock.now() }
    received.push(message)
    receiver.answer(response, message)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const [here, elsewhere] = [true, false].map((allowLoopback) => createOutbound({ clock: systemClock, allowLoopback }))
  const receiver: Receiver = {
    received,
    answer: (response) => response.writeHead(204).end(),
    outbound: (request) =>
      request.url.startsWith('https://hooks.example/')
        ? here!({ ...request, url: request.url.replace('https://hooks.example/', `http://127.0.0.1:${port}/`) })
        : elsewhere!(request),
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return receiver
}

/** A server's sender, which sends what is due when it is called. */
export function aSender({ deps }: Service, { outbound }: Pick<Receiver, 'outbound'>, mailer?: SenderDeps['mailer']) {
  const { database, clock, keyring } = deps
  const signal = new AbortController().signal
  return (changes: Partial<SenderDeps> = {}) =>
    sendDue(
      { database, clock, keyring, outbound, mailer, siteUrl, random: () => 0, observer: undefined, ...changes },
      signal,
    )
}

/** A webhook as an owner adds it in the portal. */
export async function addWebhook(
  service: Service,
  organisation: Organisation,
  given: { url?: string; events?: string[] | null } = {},
): Promise<{ id: string; secret: string }> {
  // Lists are in the order of time.
  service.clock.jump(1)
  const browser = aBrowser(service, await organisation.cookie())
  const answer = await browser.send('POST', '/v2/webhooks', { url: 'https://hooks.example/one', ...given })
  if (answer.statusCode !== 201) throw new Error(answer.body)
  const { webhook, secret } = answer.json()
  return { id: webhook.id, secret }
}

/** The message, as the public library accepts it when it arrives. @throws if it does not */
export function verified(secret: string, { body, headers, at }: Received): Message {
  // The library compares the message's time with the real one, which stories move.
  vi.useFakeTimers({ toFake: ['Date'], now: at })
  try {
    return new Webhook(secret).verify(body, headers as Record<string, string>) as Message
  } finally {
    vi.useRealTimers()
  }
}

export interface Message {
  type: string
  timestamp: string
  data: Record<string, unknown>
}
