import { apiError, send } from './client.ts'
import { createEventParser, type StreamEvent } from './event-stream.ts'
import type { Migration } from './queries.ts'

/** Milliseconds of silence after which a connection counts as dead. The service sends something every second. */
const silenceMs = 45_000
const pausesMs = [1_000, 2_000, 5_000, 10_000]
/** After this many failures the caller polls instead. */
const failuresToGiveUp = 3

interface Watcher {
  onMigration: (migration: Migration) => void
  /** The stream cannot be kept open here, so the caller polls instead. */
  onGiveUp: () => void
}

/**
 * Follows one migration until it has ended, and reconnects if the connection is cut. `EventSource` cannot send the
 * organization, so this reads the body of `fetch`.
 *
 * @returns a function that stops it
 */
export function watchMigration(id: string, watcher: Watcher): () => void {
  const stopped = new AbortController()
  follow(id, watcher, stopped.signal).catch(() => {
    if (!stopped.signal.aborted) watcher.onGiveUp()
  })
  return () => stopped.abort()
}

async function follow(id: string, { onMigration, onGiveUp }: Watcher, stopped: AbortSignal): Promise<void> {
  let lastEventId = ''
  let failures = 0
  while (!stopped.aborted) {
    // Until something is heard, a stream that ends has failed as well: proxies close some at once.
    failures += 1
    try {
      const isOver = await readOnce(id, lastEventId, stopped, (event) => {
        failures = 0
        lastEventId = event.id
        // The service defines the shape, and our types are generated from its description.
        if (event.event === 'migration') onMigration(JSON.parse(event.data) as Migration)
        return event.event === 'end'
      })
      if (isOver) return
    } catch {
      // Counted above.
    }
    if (stopped.aborted) return
    if (failures >= failuresToGiveUp) return onGiveUp()
    await pause(pausesMs[Math.min(failures, pausesMs.length - 1)] ?? 1_000, stopped)
  }
}

/**
 * @returns whether the migration has ended
 * @throws if the connection fails or falls silent
 */
async function readOnce(
  id: string,
  lastEventId: string,
  stopped: AbortSignal,
  onEvent: (event: StreamEvent) => boolean,
): Promise<boolean> {
  const silence = new AbortController()
  let alarm = setTimeout(() => silence.abort(), silenceMs)
  const signal = AbortSignal.any([stopped, silence.signal])
  try {
    const headers = { accept: 'text/event-stream', ...(lastEventId !== '' && { 'last-event-id': lastEventId }) }
    const address = new URL(`/v2/migrations/${encodeURIComponent(id)}/events`, location.origin)
    const response = await send(new Request(address, { headers, signal }))
    if (response.status === 204) return true
    if (!response.ok || !response.body) throw apiError(response, await response.json().catch(() => undefined))
    const parse = createEventParser()
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return false
      clearTimeout(alarm)
      alarm = setTimeout(() => silence.abort(), silenceMs)
      if (parse(value).map(onEvent).some(Boolean)) return true
    }
  } finally {
    clearTimeout(alarm)
  }
}

function pause(ms: number, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    stopped.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
