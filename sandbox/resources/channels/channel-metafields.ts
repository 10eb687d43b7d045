import type { SandboxResource } from '../../http/resource.ts'
import { channelMetafieldTable } from '../../tables/product-tables.ts'
import { numberParam, rowOr404 } from '../../validation/body-checks.ts'
import { metafieldRoutes } from '../metafields/metafield-routes.ts'
import { channelsTable } from './channels.ts'

export const channelMetafields: SandboxResource = {
  key: 'channel-metafields',
  routes: metafieldRoutes({
    resourceType: 'channel',
    table: channelMetafieldTable,
    owners: channelsTable,
    scope: 'store_channel_settings',
    ownerPath: '/v3/channels/:channelId',
    bulkPath: '/v3/channels/metafields',
    namedOwner: (request) => rowOr404(channelsTable(request.store), numberParam(request, 'channelId')),
  }),
}
