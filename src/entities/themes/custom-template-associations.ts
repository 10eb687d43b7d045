import { offsetPages } from '../../bigcommerce/pages.ts'
import type { Component } from '../core/component.ts'
import { type Draft, draft, type LeftOut, type PlatformItem } from '../core/draft.ts'
import { defineEntity } from '../core/entity.ts'
import type { Reading } from '../core/reading.ts'
import { identity, type References } from '../core/references.ts'
import { leftOutWithChannel } from '../core/storefront-channels.ts'
import { componentsOfTypes, sameTheme, themeTemplateId, themeTemplatesKey } from './theme-templates.ts'
import { themesScope } from './themes-scope.ts'

const key = 'custom-template-associations'
const path = '/v3/storefront/custom-template-associations'

/** Source: the published specification, `maxItems`. */
const batch = 100

/**
 * Without the file in the destination's active theme, the item would look like any other. So the association is left
 * out and reported.
 */
function whyLeftOut(
  channel: number | undefined,
  { channel_id, entity_type, file_name }: PlatformItem,
  references: References,
): LeftOut | null {
  if (channel === undefined) return leftOutWithChannel
  const isThere = references.has(themeTemplatesKey, themeTemplateId(channel_id, entity_type, file_name))
  if (isThere) return null
  const uncreatable = `the active theme of the destination has no ${entity_type} template ${file_name}.`
  return { uncreatable, remedy: sameTheme }
}

function associationDraft(item: PlatformItem, references: References): Draft {
  const { id, is_valid: _valid, date_created: _created, date_modified: _modified, channel_id, ...rest } = item
  const channel = references.find('channels', channel_id)
  const leftOut = whyLeftOut(channel, item, references)
  const name = `${item.file_name} for ${item.entity_type} ${item.entity_id}`
  // If left out, it stays as it is where it already exists.
  if (leftOut !== null) return draft(key, id, {}, { name, ...leftOut })
  const of = componentsOfTypes[String(item.entity_type)] ?? String(item.entity_type)
  const entity = references.need(of, item.entity_id)
  const body = { ...rest, channel_id: channel, entity_id: entity }
  return draft(key, id, body, { keys: [`${channel}/${item.entity_type}/${entity}`], name })
}

const upsert = (bodies: PlatformItem[]) => ({ method: 'PUT' as const, path, body: bodies })

const association: Component = {
  key,
  label: 'Custom template associations',
  data: 'catalogue',
  recovery: 'key',
  naturalKey: 'channel, kind and item',
  knownByKey: true,
  destinationOwned: [],
  carried: false,
  create: {
    batch,
    call: (desired) => upsert(desired.map((one) => one.draft.body)),
    // What the response contains is not documented.
    results: (_status, _body, desired) => desired.map(() => ({ lookFor: true })),
  },
  update: {
    call: (desired) => upsert([desired.body]),
    several: { batch, call: (corrections) => upsert(corrections.map(({ desired }) => desired.body)) },
  },
  remove: { call: (existing) => ({ method: 'DELETE', path, query: { 'id:in': existing.id } }) },
  probe: async (client) => {
    const found: Draft[] = []
    for await (const { items } of offsetPages<PlatformItem>(client, path))
      found.push(...items.map((item) => associationDraft(item, identity)))
    return found
  },
  callsPerItem: { write: 1 / batch },
}

const reading: Reading = { path, kind: 'staged', limit: 250, idField: 'id' }

export const customTemplateAssociations = defineEntity({
  key,
  label: 'Custom template associations',
  group: 'storefront',
  after: [themeTemplatesKey, 'categories', 'brands', 'products', 'pages'],
  scope: 'storefront',
  prune: 'allowed',
  components: [association],
  scopes: [{ ...themesScope, below: [path], probe: { path, query: { limit: 1 } } }],
  notMoved: [
    {
      what: 'those whose file the active theme of the destination does not have',
      why: 'the platform would fall back to the usual template; each is reported',
    },
  ],
  passes: [
    {
      key,
      label: 'Custom template associations',
      root: key,
      source: reading,
      storefront: ({ channelId }) => ({ channel_id: channelId }),
      destination: { ...reading, complete: true },
      drafts: associationDraft,
    },
  ],
})
