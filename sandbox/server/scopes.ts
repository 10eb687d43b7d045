import type { SandboxRoute } from '../http/resource.ts'

/**
 * All modify scopes. A token without a list of scopes has every one. Source: BigCommerce "API accounts", OAuth scopes.
 */
export const ALL_SCOPES = [
  'store_v2_products',
  'store_inventory',
  'store_locations',
  'store_fulfillment_methods_manage',
  'store_v2_customers',
  'store_v2_orders',
  'store_v2_transactions',
  'store_v2_marketing',
  'store_v2_content',
  'store_content_checkout',
  'store_v2_information',
  'store_channel_settings',
  'store_channel_listings',
  'store_sites',
  'store_themes_manage',
  'store_metafield_write',
  'store_metafield_write_all',
  'store_metafield_change_owner',
  'store_translations',
]

/**
 * Whether the scopes include the route's, or its read-only form for GET. `store_v2_default` routes accept any valid
 * token.
 */
export function isAllowed(route: SandboxRoute, scopes: ReadonlySet<string>): boolean {
  if (route.scope === 'store_v2_default' || scopes.has(route.scope)) return true
  return route.method === 'GET' && !route.modifyOnly && scopes.has(readOnlyForm(route.scope))
}

/**
 * The read-only form of `store_themes_manage` is `store_themes_read_only`. Source: BigCommerce "API accounts", OAuth
 * scopes.
 */
function readOnlyForm(scope: string): string {
  return `${scope.replace(/_manage$/, '')}_read_only`
}
