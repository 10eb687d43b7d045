import { notFound, ok, refuse } from '../../http/answers.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import { DEFAULT_CHANNEL_ID } from '../channels/channels.ts'
import { regionsOf } from '../themes/shown-theme.ts'
import { CONTENT_SCOPE } from './widget-tables.ts'
import { refuseUnknownChannel } from './widget-targets.ts'

/** Lists the names of the regions in a template file of the active theme. */
function listRegions({ store, query }: SandboxRequest): SandboxAnswer {
  const file = query.get('template_file')
  if (!file) refuse(422, 'template_file is required', { template_file: 'required' })
  const channel = query.get('channel_id')
  if (channel !== null) refuseUnknownChannel(store, Number(channel))
  const regions = regionsOf(store, Number(channel ?? DEFAULT_CHANNEL_ID), file)
  return regions ? ok(regions.map((name) => ({ name }))) : notFound(`The theme has no template ${file}`)
}

export const contentRegions: SandboxResource = {
  key: 'content-regions',
  routes: [{ method: 'GET', path: '/v3/content/regions', scope: CONTENT_SCOPE, latency: 'read', handle: listRegions }],
}
