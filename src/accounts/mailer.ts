import { createTransport } from 'nodemailer'
import type { Clock } from '../clock.ts'

export interface Mail {
  /** The only part of a mail that is logged. */
  userId: string
  to: string
  subject: string
  text: string
}

/**
 * Sends mails after the response that promised them. Mails not sent when the process ends are lost, and people have to
 * request them again.
 */
export interface Mailer {
  /** @param compose writes the mail, or returns undefined if there is none to send. If it fails, that is logged too. */
  sendLater(compose: () => Promise<Mail | undefined>): void
  /** Tries once, for callers that keep the mail and repeat it themselves. */
  sendOnce(mail: Mail): Promise<MailOutcome>
  /** Waits for mails that are being sent, and drops those waiting for another attempt. */
  close(): Promise<void>
}

/** `refused`: the server would refuse it again. */
export type MailOutcome = 'sent' | 'refused' | 'failed'

interface Options {
  /** `smtp://user:password@host:port`, or `smtps://`. */
  smtpUrl: string
  /** The sender's address. */
  from: string
  clock: Clock
  log: Record<'info' | 'warn' | 'error', (fields: object, message: string) => void>
}

/** The pauses between attempts. If they were longer, a link valid for half an hour could arrive expired. */
const pausesMs = [5_000, 30_000, 120_000]
/** The most mails being sent or waiting. If a mail server hangs, more would fill the memory. */
const mostAtOnce = 100

export function createMailer({ smtpUrl, from, clock, log }: Options): Mailer {
  const transport = createTransport(connectionOf(smtpUrl))
  const closing = new AbortController()
  const underWay = new Set<Promise<void>>()

  async function send(mail: Mail, [pauseMs, ...later]: readonly number[] = pausesMs): Promise<void> {
    const { userId } = mail
    const error = await failureOf(mail)
    if (error === undefined) return log.info({ userId }, 'A mail has been sent.')
    // The log leaves out the message of this error, because it contains the address.
    if (pauseMs === undefined || isFinal(error))
      return log.error({ err: error, userId }, 'A mail could not be sent and is given up.')
    log.warn({ err: error, userId }, 'A mail could not be sent; it is tried again.')
    await clock.sleep(pauseMs, closing.signal)
    return send(mail, later)
  }

  function failureOf({ to, subject, text }: Mail): Promise<unknown> {
    // As an object, the address is used as it is; a string could be read as a list.
    const recipient = { name: '', address: to }
    const headers = { 'Auto-Submitted': 'auto-generated' }
    return transport.sendMail({ from, to: recipient, subject, text, headers, xMailer: false }).then(
      () => undefined,
      (error: unknown) => error,
    )
  }

  function sendLater(compose: () => Promise<Mail | undefined>): void {
    if (underWay.size >= mostAtOnce) {
      log.error({ count: underWay.size }, 'Too many mails wait to be sent; another one is given up.')
      return
    }
    const work = compose()
      .then((mail) => mail && send(mail))
      .catch((error: unknown) => {
        if (!closing.signal.aborted) log.error({ err: error }, 'A mail could not be written.')
      })
      .finally(() => underWay.delete(work))
    underWay.add(work)
  }

  async function sendOnce(mail: Mail): Promise<MailOutcome> {
    const error = await failureOf(mail)
    if (error === undefined) return 'sent'
    log.warn({ err: error, userId: mail.userId }, 'A notification could not be mailed.')
    return isFinal(error) ? 'refused' : 'failed'
  }

  async function close(): Promise<void> {
    closing.abort()
    await Promise.all(underWay)
    transport.close()
  }

  return { sendLater, sendOnce, close }
}

/** A mail server that does not respond must not delay the end of the process, or a link that expires. */
const timeoutMs = 15_000
const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Mails contain links that open accounts, so they only cross a network encrypted (S13). */
function connectionOf(smtpUrl: string) {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl)
  const secure = protocol === 'smtps:'
  const isHere = loopback.has(hostname)
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && !isHere,
    ignoreTLS: !secure && isHere,
    ...(username !== '' && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** Whether the server would refuse again: for a wrong password, or for an address that it does not accept. */
function isFinal(error: unknown): boolean {
  return (error as { permanent?: unknown }).permanent === true
}
