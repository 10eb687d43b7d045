import { numberParam, rowOr404 } from '../products/body-checks.ts'
import { metafieldRoutes } from '../products/metafield-routes.ts'
import { productTable, variantMetafieldTable, variantTable } from '../products/tables.ts'
import type { SandboxRequest, SandboxResource } from '../resource.ts'
import type { Row } from '../store.ts'

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
