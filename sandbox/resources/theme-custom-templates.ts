import { notFound, ok } from '../answers.ts'
import { themeOf } from '../channels/theme-identity.ts'
import { customTemplates, ENTITY_TYPES } from '../content/theme-files.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../resource.ts'
import { DEFAULT_CHANNEL_ID } from './channels.ts'

/** The store has one theme in one version. */
function filesOf({ store, params }: SandboxRequest): SandboxAnswer {
  const { active_theme_version_uuid } = themeOf(store, DEFAULT_CHANNEL_ID)
  if (params.versionUuid !== active_theme_version_uuid) return notFound('There is no such version of a theme.')
  const files = customTemplates(store)
  return ok(
    Object.fromEntries(
      ENTITY_TYPES.map((type) => [
        type,
        files.filter(({ entity_type }) => entity_type === type).map(({ file_name }) => file_name),
      ]),
    ),
  )
}

export const themeCustomTemplates: SandboxResource = {
  key: 'theme-custom-templates',
  routes: [
    {
      method: 'GET',
      path: '/v3/themes/custom-templates/:versionUuid',
      scope: 'store_themes_manage',
      latency: 'read',
      handle: filesOf,
    },
  ],
}
