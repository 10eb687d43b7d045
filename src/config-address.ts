import { z } from 'zod'

const loopback = new Set(['localhost', '127.0.0.1'])

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
