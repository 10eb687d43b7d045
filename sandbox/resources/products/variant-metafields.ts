import type { SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { Row } from '../../store/store.ts'
import { productTable, variantMetafieldTable, variantTable } from '../../tables/product-tables.ts'
import { numberParam, rowOr404 } from '../../validation/body-checks.ts'
import { metafieldRoutes } from '../metafields/metafield-routes.ts'

function namedVariant(request: SandboxRequest): Row {
  const product = rowOr404(productTable(request.store), numberParam(request, 'productId'))
  return rowOr404(variantTable(request.store), numberParam(request, 'variantId'), { product_id: product.id })
}

export const variantMetafields: SandboxResource = {
  key: 'variant-metafields',
  routes: metafieldRoutes({
    resourceType: 'variant',
    table: variantMetafieldTable,
    owners: variantTable,
    ownerPath: '/v3/catalog/products/:productId/variants/:variantId',
    bulkPath: '/v3/catalog/variants/metafields',
    namedOwner: namedVariant,
  }),
}
