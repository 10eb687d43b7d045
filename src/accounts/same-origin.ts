import { ServiceError } from '../contract/service-error.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Protects the session cookie against cross-site requests (S24). GET changes nothing, so it may come from any origin.
 *
 * @throws ServiceError `forbidden` if any other request has another origin, none, or `null`
 */
export function requireSameOrigin(
  { method, headers }: { method: string; headers: { origin?: string | undefined } },
  siteUrl: string,
): void {
  if (safeMethods.has(method) || headers.origin === new URL(siteUrl).origin) return
  throw new ServiceError(
    'forbidden',
    `A request that changes something with the sign-in cookie must come from a page of ${siteUrl}.`,
  )
}
