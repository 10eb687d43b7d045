/**
 * Paths to which a sign-in may redirect, with the query string of a screen. The whole path must match, so it never
 * leads to another host (S15).
 */
const known: readonly RegExp[] = [
  /^\/app(\/[\w-]+)*(\?[\w=&%.~+*-]*)?$/,
  /^\/admin(\/[\w-]+)*(\?[\w=&%.~+*-]*)?$/,
  /^\/oauth\/mcp\/interaction\/[\w-]{1,128}$/,
]

/** @returns the path if it is allowed, otherwise the portal's start page */
export function returnPath(requestedPath: string | undefined): string {
  return requestedPath !== undefined && known.some((shape) => shape.test(requestedPath)) ? requestedPath : '/app'
}

/** The sign-in page, with the path to return to afterwards. */
export function signInPath(returnTo: string): string {
  return `/app/sign-in?return_to=${encodeURIComponent(returnPath(returnTo))}`
}
