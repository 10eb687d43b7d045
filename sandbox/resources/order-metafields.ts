import { orderMetafieldTable, orderTable, ORDER_SCOPE as SCOPE } from '../orders/order-tables.ts'
import { numberParam, rowOr404 } from '../products/body-checks.ts'
import { metafieldRoutes } from '../products/metafield-routes.ts'
import type { SandboxResource } from '../resource.ts'

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
