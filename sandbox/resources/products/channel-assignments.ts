import type { SandboxResource } from '../../http/resource.ts'
import { channelAssignmentTable } from '../../tables/product-tables.ts'
import { assignmentRoutes } from './assignments.ts'

/** Every store has the default channel, even if there is no row for it. */
const DEFAULT_CHANNEL_ID = 1

export const channelAssignments: SandboxResource = {
  key: 'channel-assignments',
  routes: assignmentRoutes({
    path: '/v3/catalog/products/channel-assignments',
    table: channelAssignmentTable,
    field: 'channel_id',
    exists: (store, id) => id === DEFAULT_CHANNEL_ID || store.table('channels').get(id) !== undefined,
  }),
}
