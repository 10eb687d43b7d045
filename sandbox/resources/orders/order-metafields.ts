import type { SandboxResource } from '../../http/resource.ts'
import { orderMetafieldTable, orderTable, ORDER_SCOPE as SCOPE } from '../../tables/order-tables.ts'
import { numberParam, rowOr404 } from '../../validation/body-checks.ts'
import { metafieldRoutes } from '../metafields/metafield-routes.ts'

export const orderMetafields: SandboxResource = {
  key: 'order-metafields',
  routes: metafieldRoutes({
    resourceType: 'order',
    table: orderMetafieldTable,
    owners: orderTable,
    scope: SCOPE,
    ownerPath: '/v3/orders/:orderId',
    bulkPath: '/v3/orders/metafields',
    namedOwner: (request) => rowOr404(orderTable(request.store), numberParam(request, 'orderId')),
  }),
}
