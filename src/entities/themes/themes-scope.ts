import type { TokenScope } from '../core/entity.ts'

/** Its two forms do not follow the usual naming. Source: BigCommerce "API accounts", OAuth scopes. */
export const themesScope: TokenScope = { scope: 'store_themes_manage', reading: 'store_themes_read_only' }
