import type { TokenScope } from '../core/entity.ts'

/** Its names do not follow the usual pattern. Source: BigCommerce "API accounts", OAuth scopes. */
export const themesScope: TokenScope = { scope: 'store_themes_manage', reading: 'store_themes_read_only' }
