/**
 * Who has just accepted an invitation or chosen a password, for the sign-in page that follows. In a cookie, because an address is
 * recorded by browsers and proxies.
 */
const name = '__Host-storeferry-email'
const keptSeconds = 300

/** The value of a `Set-Cookie` header. */
export function emailCookie(email: string): string {
  return `${name}=${encodeURIComponent(email)}; Max-Age=${keptSeconds}; Path=/; Secure; HttpOnly; SameSite=Lax`
}

/** @returns the email in a `Cookie` header, or '' */
export function readEmail(header = ''): string {
  const value = header.split(/; */).find((pair) => pair.startsWith(`${name}=`))
  return new URLSearchParams(value).get(name) ?? ''
}
