import { completePages } from '../../bigcommerce/complete-pages.ts'
import { chosenFields } from '../core/chosen-fields.ts'
import type { Component } from '../core/component.ts'
import { type Draft, draft, type PlatformItem } from '../core/draft.ts'
import { defineEntity } from '../core/entity.ts'
import { linked, linkedJson } from '../core/links.ts'
import type { Lister, Reading } from '../core/reading.ts'
import { identity, type References } from '../core/references.ts'
import { leftOutWithChannel, themedChannels } from '../core/storefront-channels.ts'

export const widgetTemplatesKey = 'widget-templates'

const path = '/v3/content/widget-templates'

/**
 * The published schema has a template's channel only in its examples, so templates are listed by channel. Built-in
 * templates are on every channel.
 */
const everyTemplate: Lister = async function* (client, _path, { channel_id }, options) {
  const found = new Map<unknown, PlatformItem>()
  for (const channelId of await themedChannels(client, channel_id, options)) {
    const query = { 'channel_id:in': channelId }
    for await (const { items } of completePages<PlatformItem>(client, path, query, { ...options, idOf: 'uuid' }))
      for (const item of items)
        if (!found.has(item.uuid)) found.set(item.uuid, isCustom(item) ? { ...item, channel_id: channelId } : item)
  }
  const items = [...found.values()]
  yield { items, total: items.length, read: items.length }
}

function isCustom({ kind }: PlatformItem): boolean {
  return kind === 'custom'
}

function templateDraft(item: PlatformItem, references: References): Draft {
  return isCustom(item) ? customDraft(item, references) : builtInDraft(item)
}

/** Built-in templates are the same in every store, but with different UUIDs. */
function builtInDraft({ uuid, name, kind }: PlatformItem): Draft {
  return draft(
    widgetTemplatesKey,
    uuid,
    { name, kind },
    {
      compare: {},
      keys: [`built-in ${kind}:${name}`],
      name: String(name),
      uncreatable: 'the platform provides it by itself, and the destination has none of this name and kind.',
      remedy: 'If pages show widgets made of it, build what they show with another widget at the destination.',
    },
  )
}

function customDraft(item: PlatformItem, references: References): Draft {
  const { uuid, kind: _kind, icon_name: _icon, current_version_uuid: _version, channel_id, ...more } = item
  const { client_rerender: _rerender, template_engine: _engine, ...own } = more
  const { date_created: _created, date_modified: _modified, ...rest } = own
  const channel = references.find('channels', channel_id)
  const name = String(item.name ?? '')
  return draft(
    widgetTemplatesKey,
    uuid,
    { ...rest, ...linkingParts(rest, references), channel_id: channel },
    {
      keys: channel === undefined ? [] : [`custom in ${channel}:${name.trim().toLowerCase()}`],
      name,
      ...(channel === undefined && leftOutWithChannel),
    },
  )
}

/** Where a template can contain links: its markup, and the default values of its settings. */
function linkingParts(rest: PlatformItem, references: References): PlatformItem {
  return {
    ...('template' in rest && { template: linked(rest.template, references) }),
    ...('schema' in rest && { schema: linkedJson(rest.schema, references) }),
  }
}

const probe: Component['probe'] = async (client) => {
  const found: Draft[] = []
  for await (const { items } of everyTemplate(client, path, {}, {}))
    found.push(...items.map((item) => templateDraft(item, identity)))
  return found
}

const widgetTemplate: Component = {
  key: widgetTemplatesKey,
  label: 'Widget templates',
  data: 'catalogue',
  recovery: 'baseline',
  naturalKey: 'channel and name, capitals aside; those of the platform: kind and name',
  sharesKeys: true,
  destinationOwned: [],
  carried: false,
  create: {
    batch: 1,
    call: ([only]) => ({ method: 'POST', path, body: only?.draft.body }),
    results: (_status, body, [only]) => {
      const { data } = (body ?? {}) as { data?: PlatformItem }
      // The response does not include the channel.
      return [data ? { saved: { ...data, channel_id: only?.body.channel_id } } : { lookFor: true }]
    },
  },
  update: {
    call: (desired, existing, _parentId, fields) => ({
      method: 'PUT',
      path: `${path}/${existing.id}`,
      body: chosenFields(desired.body, fields),
    }),
  },
  remove: { call: (existing) => ({ method: 'DELETE', path: `${path}/${existing.id}` }) },
  probe,
  callsPerItem: { write: 1 },
}

const reading: Reading = { path, kind: 'staged', limit: 250, idField: 'uuid', pages: everyTemplate }

export const widgetTemplates = defineEntity({
  key: widgetTemplatesKey,
  label: 'Widget templates',
  group: 'storefront',
  after: [],
  scopes: [{ scope: 'store_v2_content', below: [path] }],
  scope: 'storefront',
  prune: 'allowed',
  components: [widgetTemplate],
  notMoved: [
    { what: 'earlier versions of a template', why: 'the API shows the present one only' },
    { what: 'which version of Handlebars a template is made for', why: 'the API shows it and does not accept it' },
  ],
  passes: [
    {
      key: widgetTemplatesKey,
      label: 'Widget templates',
      root: widgetTemplatesKey,
      source: reading,
      picks: { otherwise: true },
      storefront: ({ channelId }) => ({ channel_id: channelId }),
      destination: { ...reading, complete: true },
      protects: (item) => !isCustom(item),
      texts: ['template', 'schema'],
      drafts: templateDraft,
    },
  ],
})
