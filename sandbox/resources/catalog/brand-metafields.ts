import type { SandboxResource } from '../../http/resource.ts'
import { brandMetafieldTable } from '../../tables/product-tables.ts'
import { numberParam, rowOr404 } from '../../validation/body-checks.ts'
import { metafieldRoutes } from '../metafields/metafield-routes.ts'
import { brandsTable } from './brands.ts'

export const brandMetafields: SandboxResource = {
  key: 'brand-metafields',
  routes: metafieldRoutes({
    resourceType: 'brand',
    table: brandMetafieldTable,
    owners: brandsTable,
    ownerPath: '/v3/catalog/brands/:brandId',
    bulkPath: '/v3/catalog/brands/metafields',
    namedOwner: (request) => rowOr404(brandsTable(request.store), numberParam(request, 'brandId')),
  }),
}
