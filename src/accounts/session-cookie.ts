/**
 * `__Host-` binds the cookie to this host and a secure origin. Some browsers treat http://localhost and
 * http://127.0.0.1 as secure. Others refuse the cookie, which the sign-in page reports (S13).
 * Source: RFC 6265bis, 4.1.3.2.
 */
export const sessionCookieName = '__Host-storeferry'

/** @returns the session id in a `Cookie` header; undefined if there are two, because either could be ours */
export function readSessionCookie(header: string | undefined): string | undefined {
  const values = cookieValues(header, sessionCookieName)
  return values.length === 1 && /^[\w-]{43}$/.test(values[0] ?? '') ? values[0] : undefined
}

/** All values of this name in a `Cookie` header. */
export function cookieValues(header: string | undefined, name: string): string[] {
  return (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
}

export function sessionCookie(sessionId: string, maximumSeconds: number): string {
  return hostCookie(sessionCookieName, sessionId, maximumSeconds)
}

/** The value of a `Set-Cookie` header. Lax, because people follow links from emails and AI clients. */
export function hostCookie(name: string, value: string, maximumSeconds: number): string {
  return `${name}=${value}; Max-Age=${maximumSeconds}; Path=/; Secure; HttpOnly; SameSite=Lax`
}

export function endedSessionCookie(): string {
  return sessionCookie('', 0)
}
