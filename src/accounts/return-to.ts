/** Where a sign-in may lead: addresses of ours by their whole shape, never another host (S15). */
const known: readonly RegExp[] = [
  /^\/app(\/[\w-]+)*$/,
  /^\/admin(\/[\w-]+)*$/,
  /^\/oauth\/mcp\/interaction\/[\w-]{1,128}$/,
]

/** @returns the path, or the portal's own when it is not one a sign-in may lead to. */
export function returnPath(requestedPath: string | undefined): string {
  return requestedPath !== undefined && known.some((shape) => shape.test(requestedPath)) ? requestedPath : '/app'
}

/** Where a page sends somebody who has to sign in first. */
export function signInPath(returnTo: string): string {
  return `/app/sign-in?return_to=${encodeURIComponent(returnPath(returnTo))}`
}
