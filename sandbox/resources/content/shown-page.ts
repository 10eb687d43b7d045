import { ok } from '../../http/answers.ts'
import { numbersIn, pageOf, paginationMeta } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest } from '../../http/resource.ts'
import { requestedChannels } from './placement-rows.ts'

type Shown = Record<string, unknown>

/** A page of rows put together in memory, with the filters that widgets and placements share. */
export function shownPage(
  { store, query }: SandboxRequest,
  all: Shown[],
  widgetOf: (one: Shown) => Shown,
): SandboxAnswer {
  const channels = requestedChannels(store, numbersIn(query, 'channel_id:in'), numbersIn(query, 'site_id:in'))
  const template = (one: Shown) => (widgetOf(one).widget_template ?? {}) as Shown
  const requested = (name: string, value: unknown) => !query.has(name) || query.get(name) === value
  const found = all.filter(
    (one) =>
      (channels?.includes(Number(one.channel_id)) ?? true) &&
      requested('widget_template_kind', template(one).kind) &&
      requested('widget_template_uuid', template(one).uuid),
  )
  const at = pageOf(query)
  const rows = found.slice(at.offset, at.offset + at.limit)
  return ok(rows, paginationMeta(query, at, rows.length, found.length))
}
