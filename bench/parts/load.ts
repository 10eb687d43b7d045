import { connect, type Socket } from 'node:net'

/**
 * Repeats the same request over a fixed number of keep-alive connections, each as soon as the previous response is
 * complete. It writes prepared bytes and reads only the length of each response, so that the server is what is
 * measured.
 *
 * @returns responses per second. Refusals do not count: a busy server refuses faster than it responds
 */
export function requestsPerSecond(url: string, token: string, seconds: number, connections = 8): Promise<number> {
  return answersPerSecond(url, { headers: { 'X-Auth-Token': token } }, seconds, connections)
}

export interface Message {
  headers: Record<string, string>
  /** Sent by POST. */
  body?: string
}

/** The same for any message. */
export async function answersPerSecond(
  url: string,
  { headers, body = '' }: Message,
  seconds: number,
  connections: number,
): Promise<number> {
  const { hostname, port, pathname, search } = new URL(url)
  const lines = [
    `${body === '' ? 'GET' : 'POST'} ${pathname}${search} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    ...(body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`, 'Content-Type: application/json']),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  const head = `${lines.join('\r\n')}\r\n\r\n${body}`
  const startedMs = performance.now()
  const endsMs = startedMs + seconds * 1_000
  const counts = await Promise.all(
    Array.from({ length: connections }, () => askUntil(connect(Number(port), hostname), head, endsMs)),
  )
  const tookSeconds = (performance.now() - startedMs) / 1_000
  return counts.reduce((sum, count) => sum + count, 0) / tookSeconds
}

function askUntil(socket: Socket, head: string, endsMs: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let answers = 0
    let missing = 0
    let isTaken = false
    let text = ''
    socket.setNoDelay(true)
    socket.on('error', reject)
    socket.on('data', (chunk: Buffer) => {
      if (missing > 0) missing -= chunk.length
      else {
        text += chunk.toString('latin1')
        const bodyAt = text.indexOf('\r\n\r\n')
        if (bodyAt === -1) return
        const length = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, bodyAt))?.[1] ?? 0)
        missing = length - (text.length - bodyAt - 4)
        isTaken = text.startsWith('HTTP/1.1 2')
        text = ''
      }
      if (missing > 0) return
      if (isTaken) answers++
      if (performance.now() < endsMs) socket.write(head)
      else socket.end(() => resolve(answers))
    })
    socket.write(head)
  })
}

export function median(values: number[]): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
