import { isIP } from 'node:net'
import { z } from 'zod'

export const loopback = new Set(['localhost', '127.0.0.1'])

/** Any https address, but http only on this machine: bearer tokens must not cross a network unencrypted (S13). */
export function guardedUrl(what: string) {
  return z.string().transform((text, context) => {
    const url = URL.parse(text)
    const safe = url?.protocol === 'https:' || (url?.protocol === 'http:' && loopback.has(url.hostname))
    if (url && safe && !url.username && !url.search && !url.hash) return url.href.replace(/\/+$/, '')
    context.addIssue({ code: 'custom', message: `give ${what} as https://..., or http:// on localhost or 127.0.0.1` })
    return z.NEVER
  })
}

/** Whether user and password can be read: a `%` that encodes no sign has to be encoded itself. */
export function isReadable({ username, password }: URL): boolean {
  try {
    decodeURIComponent(`${username} ${password}`)
    return true
  } catch {
    return false
  }
}

/** Mails hold one-time links, so everything that could weaken the connection is refused. */
export const smtpUrl = z.string().refine(
  (text) => {
    const url = URL.parse(text)
    if (!url || !['smtp:', 'smtps:'].includes(url.protocol) || !isReadable(url)) return false
    return (
      /^([A-Za-z0-9.-]+|\[[0-9a-f:.]+\])$/.test(url.hostname) && `${url.pathname}${url.search}${url.hash}`.length <= 1
    )
  },
  { message: 'give it as smtp://user:password@host:587 or smtps://user:password@host, with %-encoded signs' },
)

/** `https://inspector.example,http://localhost:6274` */
export const origins = z.string().transform((text, context) => {
  const named = text.split(',').map((part) => part.trim())
  if (named.every((one) => /^https?:/.test(one) && URL.parse(one)?.origin === one)) return named
  context.addIssue({
    code: 'custom',
    message: 'give sites as https://inspector.example,http://localhost:6274, or none',
  })
  return z.NEVER
})

export const hostName = z
  .string()
  .refine(
    (text) => /^[A-Za-z0-9._-]+$/.test(text) || isIP(text) === 6,
    'give a host name or an IP address without a port',
  )
