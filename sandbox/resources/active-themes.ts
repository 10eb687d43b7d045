import { notFound, ok } from '../answers.ts'
import { themeOf } from '../channels/theme-identity.ts'
import { numberParam } from '../products/body-checks.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../resource.ts'
import { channelsTable } from './channels.ts'

/** Only the platform's own storefronts have themes: a headless one looks as its owner builds it. */
function activeTheme(request: SandboxRequest): SandboxAnswer {
  const channelId = numberParam(request, 'channelId')
  const channel = channelsTable(request.store).get(channelId)
  const isStencil = channel?.type === 'storefront' && channel.platform === 'bigcommerce'
  if (!isStencil) return notFound(`No active theme found with channel_id: ${request.params.channelId}`)
  return ok(themeOf(request.store, channelId))
}

export const activeThemes: SandboxResource = {
  key: 'active-themes',
  routes: [
    {
      method: 'GET',
      path: '/v3/channels/:channelId/active-theme',
      scope: 'store_channel_settings',
      latency: 'read',
      handle: activeTheme,
    },
  ],
}
