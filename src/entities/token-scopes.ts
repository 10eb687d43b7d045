import { catalogueProbes, type ScopeProbe } from '../bigcommerce/store-information.ts'
import { readingScope, type TokenScope } from './core/entity.ts'
import { entities, tokenScopeOf } from './registry.ts'

/** Scopes that no single entity owns. */
export const sharedScopes: readonly TokenScope[] = [
  { scope: 'store_v2_information', below: ['/v2/store'] },
  { scope: 'store_channel_settings', below: ['/v3/channels'] },
]

/** The scope that a token needs for a call. */
export function scopeOfCall({ method, path }: { method: string; path: string }): string | undefined {
  const scope =
    tokenScopeOf(path) ?? sharedScopes.find(({ below = [] }) => below.some((prefix) => path.startsWith(prefix)))
  return scope && (method === 'GET' ? readingScope(scope) : scope.scope)
}

/**
 * Scopes by their names in the control panel, where API accounts are created, in its order. Source: BigCommerce "API
 * accounts", OAuth scopes.
 */
const panelNames: Record<string, string> = {
  store_v2_content: 'Content',
  store_content_checkout: 'Checkout content',
  store_v2_customers: 'Customers',
  store_v2_information: 'Information & settings',
  store_v2_marketing: 'Marketing',
  store_v2_orders: 'Orders',
  store_v2_products: 'Products',
  store_themes_manage: 'Themes',
  store_channel_settings: 'Channel settings',
  store_sites: 'Sites & routes',
  store_inventory: 'Store inventory',
  store_locations: 'Store locations',
}

export interface PanelScope {
  /** Its name in the control panel. */
  name: string
  /** Its names in the API, to read and to modify. */
  read: string
  write: string
  /** Labels of the entities that need it; empty if every copy needs it. */
  for: string[]
}

/** The scopes that a store's API account needs. A source needs only the read scopes. */
export const panelScopes: readonly PanelScope[] = Object.entries(panelNames).map(([scope, name]) => {
  const needing = entities.filter(({ scopes = [] }) => scopes.some((one) => one.scope === scope))
  const known = [...sharedScopes, ...needing.flatMap(({ scopes = [] }) => scopes)].find((one) => one.scope === scope)
  return { name, read: readingScope(known ?? { scope }), write: scope, for: needing.map(({ label }) => label) }
})

/** One call for each scope that a full copy needs and a call can check. */
export const accessProbes: readonly ScopeProbe[] = [
  ...catalogueProbes,
  ...panelScopes.flatMap(({ read, write }) => {
    const named = entities.flatMap(({ scopes = [] }) => scopes).filter(({ scope }) => scope === write)
    const { path, query } = named.find(({ probe }) => probe)?.probe ?? {
      path: named[0]?.below?.[0],
      query: { limit: 1 },
    }
    const isKnown = catalogueProbes.some(({ scope }) => scope === read)
    return path === undefined || isKnown ? [] : [{ scope: read, path, query }]
  }),
]
