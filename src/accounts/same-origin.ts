import { ServiceError } from '../contract/service-error.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Whether a request that a cookie may speak for comes from a page of ours (S24). GET changes nothing, so it may come from anywhere.
 *
 * @throws ServiceError `forbidden` when a changing one comes from another origin, from none, or from `null`.
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
