import { numberParam, rowOr404 } from '../products/body-checks.ts'
import { metafieldRoutes } from '../products/metafield-routes.ts'
import { productMetafieldTable, productTable } from '../products/tables.ts'
import type { SandboxResource } from '../resource.ts'

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
