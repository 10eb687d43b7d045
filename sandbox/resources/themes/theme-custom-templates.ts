import { notFound, ok } from '../../http/answers.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import { ENTITY_TYPES } from './theme-files.ts'
import { themesOf } from './theme-rows.ts'

/** Every theme has just one version. */
function filesOf({ store, params }: SandboxRequest): SandboxAnswer {
  const theme = themesOf(store).find(({ version_uuid }) => version_uuid === params.versionUuid)
  if (!theme) return notFound('There is no such version of a theme.')
  return ok(
    Object.fromEntries(
      ENTITY_TYPES.map((type) => [type, theme.files.filter(([kind]) => kind === type).map(([, name]) => name)]),
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
