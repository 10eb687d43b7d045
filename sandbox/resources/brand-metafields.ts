import { numberParam, rowOr404 } from '../products/body-checks.ts'
import { metafieldRoutes } from '../products/metafield-routes.ts'
import { brandMetafieldTable } from '../products/tables.ts'
import type { SandboxResource } from '../resource.ts'
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
