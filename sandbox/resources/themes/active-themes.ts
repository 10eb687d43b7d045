import { notFound, ok } from '../../http/answers.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import { numberParam } from '../../validation/body-checks.ts'
import { isThemed, lookOf } from './theme-rows.ts'

function activeTheme(request: SandboxRequest): SandboxAnswer {
  const channelId = numberParam(request, 'channelId')
  if (!isThemed(request.store, channelId))
    return notFound(`No active theme found with channel_id: ${request.params.channelId}`)
  const { theme, configuration_uuid } = lookOf(request.store, channelId)
  return ok({
    active_theme_uuid: theme.uuid,
    active_theme_configuration_uuid: configuration_uuid,
    active_theme_version_uuid: theme.version_uuid,
    saved_theme_configuration_uuid: configuration_uuid,
  })
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
