import type { SandboxResource } from '../../http/resource.ts'
import { storeNumber } from '../../store/store-identity.ts'
import { storeMetafieldTable } from '../../tables/product-tables.ts'
import { metafieldRoutes } from '../metafields/metafield-routes.ts'

/** Source: BigCommerce Help Center, "Platform limits". */
const MOST_ON_THE_STORE = 10_000

export const storeMetafields: SandboxResource = {
  key: 'store-metafields',
  routes: metafieldRoutes({
    resourceType: 'store',
    table: storeMetafieldTable,
    most: MOST_ON_THE_STORE,
    scope: 'store_v2_information',
    bulkPath: '/v3/store/metafields',
    namedOwner: ({ store }) => ({ id: storeNumber(store) }),
    // These are strings here, but numbers for all other kinds. Source: examples of the store information specification.
    show: (row) => ({ ...row, id: String(row.id), resource_id: String(row.resource_id) }),
  }),
}
