import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'

export interface ReceivedMail {
  from: string
  to: string[]
  /** Headers and text, decoded. */
  content: string
}

export interface MailServer {
  url: string
  received: ReceivedMail[]
  /** What it answers to the next recipients in place of taking them, one each. */
  refusals: string[]
  stop(): Promise<void>
}

/** For tests: takes mails on a free loopback port, without TLS and without a login, as RFC 5321 has it. */
export async function startMailServer(): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const refusals: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
    converse(socket, received, refusals)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A TCP server listening on a host and port has an AddressInfo.
  const { port } = server.address() as AddressInfo
  async function stop() {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url: `smtp://127.0.0.1:${port}`, received, refusals, stop }
}

function converse(socket: Socket, received: ReceivedMail[], refusals: string[]): void {
  let mail: ReceivedMail = { from: '', to: [], content: '' }
  let lines: string[] | undefined
  let rest = ''
  const say = (answer: string) => socket.write(`${answer}\r\n`)
  const commands: Record<string, (line: string) => string> = {
    EHLO: () => '250 here',
    MAIL: (line) => {
      mail = { from: addressIn(line), to: [], content: '' }
      return '250 ok'
    },
    RCPT: (line) => {
      const refusal = refusals.shift()
      if (refusal === undefined) mail.to.push(addressIn(line))
      return refusal ?? '250 ok'
    },
    DATA: () => {
      lines = []
      return '354 go on'
    },
    RSET: () => '250 ok',
    QUIT: () => '221 bye',
  }
  function take(line: string) {
    if (!lines) return say(commands[line.slice(0, 4).toUpperCase()]?.(line) ?? '502 unknown')
    if (line !== '.') return lines.push(line.replace(/^\./, ''))
    received.push({ ...mail, content: decoded(lines.join('\n')) })
    lines = undefined
    return say('250 taken')
  }
  say('220 here')
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = `${rest}${chunk}`.split('\r\n')
    rest = parts.pop() ?? ''
    for (const line of parts) take(line)
  })
}

function addressIn(line: string): string {
  return line.match(/<(.*?)>/)?.[1] ?? ''
}

/** Quoted-printable, where the mail says that it is (RFC 2045). */
function decoded(content: string): string {
  if (!/^content-transfer-encoding: quoted-printable$/im.test(content)) return content
  return content
    .replace(/=\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
}
