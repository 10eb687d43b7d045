import { locationTable } from '../inventory/locations.ts'
import { numberParam, rowOr404 } from '../products/body-checks.ts'
import { metafieldRoutes } from '../products/metafield-routes.ts'
import { locationMetafieldTable } from '../products/tables.ts'
import type { SandboxResource } from '../resource.ts'

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
