import { readFile } from 'node:fs/promises'
import { paths, serverPages } from '../../portal/paths.ts'

const declaration =
  /const (\w+) = createRoute\(\{\s*getParentRoute: \(\) => (\w+),\s*path: (?:paths\.(\w+)|'([^']*)'),/g

/**
 * Every address of the application, with `$name` for what differs, from the routes themselves: a new screen is walked without being
 * named here.
 */
export async function applicationAddresses(): Promise<string[]> {
  const text = await readFile(new URL('../../portal/routes.tsx', import.meta.url), 'utf8')
  const routes = new Map<string, { parent: string; path: string }>()
  for (const [, name = '', parent = '', key, path = ''] of text.matchAll(declaration))
    routes.set(name, { parent, path: key === undefined ? path : paths[key as keyof typeof paths] })
  const declared = text.split('createRoute({').length - 1
  if (routes.size !== declared)
    throw new Error(`Of ${declared} routes only ${routes.size} are written as the others are.`)
  const addressOf = ({ parent, path }: { parent: string; path: string }): string => {
    const above = routes.get(parent)
    if (!above || path.startsWith('/app') || path.startsWith('/admin')) return path
    return `${addressOf(above)}/${path}`.replace(/\/+$/, '')
  }
  return [...new Set([...routes.values()].map(addressOf))].sort()
}

/** Those whose screens ask the service for more than who is signed in. */
export async function askingAddresses(): Promise<string[]> {
  return (await applicationAddresses()).filter((address) => address !== paths.signedIn)
}

/** Pages of the server that a person who is signed in can open. */
export function serverAddresses(): string[] {
  return Object.values(serverPages).filter(
    (page) => typeof page === 'string' && page !== serverPages.signOut,
  ) as string[]
}
