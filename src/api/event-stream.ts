import { Readable } from 'node:stream'
import type { StreamedEvent } from '../contract/run-events.ts'

/**
 * Server-sent events. A heartbeat is a comment line: it keeps proxies from closing the connection.
 * Source: HTML, 9.2.6 "Interpreting an event stream".
 *
 * @param closing aborted when the server shuts down; the stream ends at the next event or heartbeat
 */
export function eventStream(events: AsyncIterable<StreamedEvent | null>, closing: AbortSignal): Readable {
  return Readable.from(lines(events, closing), { objectMode: false })
}

async function* lines(events: AsyncIterable<StreamedEvent | null>, closing: AbortSignal): AsyncGenerator<string> {
  for await (const event of events) {
    if (closing.aborted) return
    yield event === null ? ':\n\n' : `id: ${event.id}\nevent: ${event.event}\ndata: ${JSON.stringify(event.data)}\n\n`
  }
}
