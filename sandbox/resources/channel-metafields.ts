import { numberParam, rowOr404 } from '../products/body-checks.ts'
import { metafieldRoutes } from '../products/metafield-routes.ts'
import { channelMetafieldTable } from '../products/tables.ts'
import type { SandboxResource } from '../resource.ts'
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
