import type { SandboxResource } from '../../http/resource.ts'
import { productMetafieldTable, productTable } from '../../tables/product-tables.ts'
import { numberParam, rowOr404 } from '../../validation/body-checks.ts'
import { metafieldRoutes } from '../metafields/metafield-routes.ts'

export const productMetafields: SandboxResource = {
  key: 'product-metafields',
  routes: metafieldRoutes({
    resourceType: 'product',
    table: productMetafieldTable,
    owners: productTable,
    ownerPath: '/v3/catalog/products/:productId',
    bulkPath: '/v3/catalog/products/metafields',
    namedOwner: (request) => rowOr404(productTable(request.store), numberParam(request, 'productId')),
  }),
}
