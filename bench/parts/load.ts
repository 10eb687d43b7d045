import { connect, type Socket } from 'node:net'

/**
 * Asks for the same thing again and again over a fixed number of kept connections, the next as soon as the answer is whole.
 * It writes ready-made bytes and reads no more than the length of each answer, so that the server is what is measured.
 *
 * @returns answers per second.
 */
export async function requestsPerSecond(url: string, token: string, seconds: number, connections = 8): Promise<number> {
  const { hostname, port, pathname, search } = new URL(url)
  const head = `GET ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nX-Auth-Token: ${token}\r\n\r\n`
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
        text = ''
      }
      if (missing > 0) return
      answers++
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
