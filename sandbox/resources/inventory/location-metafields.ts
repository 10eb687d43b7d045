import type { SandboxResource } from '../../http/resource.ts'
import { locationMetafieldTable } from '../../tables/product-tables.ts'
import { numberParam, rowOr404 } from '../../validation/body-checks.ts'
import { metafieldRoutes } from '../metafields/metafield-routes.ts'
import { locationTable } from './location-rows.ts'

export const locationMetafields: SandboxResource = {
  key: 'location-metafields',
  routes: metafieldRoutes({
    resourceType: 'location',
    table: locationMetafieldTable,
    owners: locationTable,
    scope: 'store_locations',
    ownerPath: '/v3/inventory/locations/:locationId',
    bulkPath: '/v3/inventory/locations/metafields',
    namedOwner: (request) => rowOr404(locationTable(request.store), numberParam(request, 'locationId')),
  }),
}
