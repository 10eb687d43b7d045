import { Readable } from 'node:stream'
import type { StreamedEvent } from '../contract/run-events.ts'

/**
 * Events as the HTML standard writes them; a sign of life is a comment, so that proxies keep the connection.
 * Source: HTML, 9.2.6 "Interpreting an event stream".
 *
 * @param closing ends the stream when the server is to end, at the next sign of life.
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
