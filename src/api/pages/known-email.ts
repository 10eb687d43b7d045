import { cookieValues, hostCookie } from '../../accounts/session-cookie.ts'

/**
 * Who has just accepted an invitation or chosen a password, for the sign-in page that follows. In a cookie, because an address is
 * recorded by browsers and proxies.
 */
const name = '__Host-storeferry-email'
const keptSeconds = 300

/** The value of a `Set-Cookie` header. */
export function emailCookie(email: string): string {
  return hostCookie(name, encodeURIComponent(email), keptSeconds)
}

/** @returns the email in a `Cookie` header, or '' */
export function readEmail(header: string | undefined): string {
  const [value = ''] = cookieValues(header, name)
  // Unlike `decodeURIComponent`, it accepts whatever a browser sends.
  return new URLSearchParams(`email=${value}`).get('email') ?? ''
}
