import type { SandboxResource } from '../../http/resource.ts'
import { customerMetafieldTable, customerTable, CUSTOMER_SCOPE as SCOPE } from '../../tables/customer-tables.ts'
import { numberParam, rowOr404 } from '../../validation/body-checks.ts'
import { metafieldRoutes } from '../metafields/metafield-routes.ts'

export const customerMetafields: SandboxResource = {
  key: 'customer-metafields',
  routes: metafieldRoutes({
    resourceType: 'customer',
    table: customerMetafieldTable,
    owners: customerTable,
    scope: SCOPE,
    ownerPath: '/v3/customers/:customerId',
    bulkPath: '/v3/customers/metafields',
    namedOwner: (request) => rowOr404(customerTable(request.store), numberParam(request, 'customerId')),
  }),
}
