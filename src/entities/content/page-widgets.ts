import type { Component } from '../core/component.ts'
import { type Draft, draft, type LeftOut, type PlatformItem } from '../core/draft.ts'
import { defineEntity } from '../core/entity.ts'
import type { Pass } from '../core/pass.ts'
import type { Lister, Reading } from '../core/reading.ts'
import { identity, type References } from '../core/references.ts'
import { leftOutWithChannel, storefrontOfChannel } from '../core/storefront-channels.ts'
import { componentsOfTypes, sameTheme, themeTemplateId, themeTemplatesKey } from '../themes/theme-templates.ts'
import {
  countPages,
  everyPage,
  everySiteWide,
  type PageTarget,
  pageTargetFields,
  pageTargetId,
  pageTargetOf,
} from './page-contexts.ts'
import { countWidgets, translateRegions } from './widget-nodes.ts'
import { widgetTemplatesKey } from './widget-templates.ts'

const path = '/v3/content/page-widgets'

export const pageWidgetsKey = 'page-widgets'
export const globalWidgetsKey = 'global-widgets'

const aboutItems = /^pages\/(?:custom\/)?(product|category|brand|page)(?:\/(.+))?$/

/** The kind of item that pages of this file are about, in the theme's terms; undefined if none. */
export function typeOfFile(file: string): string | undefined {
  return aboutItems.exec(file)?.[1]
}

/** Why the page cannot be created; null if it can. */
function whyLeftOut(channel: number | undefined, item: PlatformItem, references: References): LeftOut | null {
  if (channel === undefined) return leftOutWithChannel
  const file = String(item.template_file)
  const [, type, name] = aboutItems.exec(file) ?? []
  if (name === undefined) return null
  const requested = themeTemplateId(item.channel_id, type, name.endsWith('.html') ? name : `${name}.html`)
  const isThere = references.has(themeTemplatesKey, requested)
  if (isThere) return null
  return { uncreatable: `the active theme of the destination has no template ${file}.`, remedy: sameTheme }
}

const noTemplates = {
  uncreatable: 'none of the templates that its widgets are made of is at the destination.',
  remedy: 'Copy widget templates too, then run again; or build what the page shows at the destination by hand.',
}

/** The platform publishes a page as a whole, so widgets that the source does not show would be shown. */
const allHidden = {
  uncreatable:
    'the placements of all its widgets are switched off in the source, and the destination would show them, because a page is published as a whole.',
  remedy: 'Switch the placements on in the source and run again, or build the page at the destination by hand.',
}
const someHidden = {
  withheld:
    'the placements of some of its widgets are switched off in the source, and the destination may show them, because a page is published as a whole.',
  remedy: 'Look at the page at the destination, and remove there what shoppers are not to see.',
}

function pageDraft(component: string, item: PlatformItem, references: References): Draft {
  const { id, channel_id, template_file, entity_id, regions, status: _refused, hidden, ...rest } = item
  const file = String(template_file)
  const channel = references.find('channels', channel_id)
  const name = [file || 'all pages', entity_id].filter(Boolean).join(' ')
  // Its id in its own store. No key if read from the source, because the destination may not have that page.
  const keys = references.sourceHash === undefined ? [String(id)] : []
  // A page left out is left as it is if it already exists.
  const leftOut = (why: LeftOut) => draft(component, id, { ...rest }, { keys, name, path: file, ...why })
  if (regions === null) return unreadDraft(component, item, references, name)
  const isOfSource = references.sourceHash !== undefined
  const reason = whyLeftOut(channel, item, references) ?? (isOfSource && hidden === 'all' ? allHidden : null)
  if (reason !== null) return leftOut(reason)
  const of = componentsOfTypes[typeOfFile(file) ?? '']
  const entityId = entity_id && of ? String(references.need(of, entity_id)) : String(entity_id)
  const target: PageTarget = { channelId: Number(channel), file, entityId }
  const translated = translateRegions(regions, references)
  if (translated.length === 0) return leftOut(noTemplates)
  return draft(
    component,
    id,
    { ...rest, ...pageTargetFields(target), regions: translated },
    {
      compare: { ...rest, regions: byName(translated) },
      keys: [pageTargetId(target)],
      name,
      path: file,
      ...(isOfSource && hidden === 'some' && someHidden),
    },
  )
}

/** Uses the key of its copy. Otherwise verify would report the copy as a page that the source does not have. */
function unreadDraft(component: string, item: PlatformItem, references: References, name: string): Draft {
  const { id, channel_id, template_file, entity_id, status } = item
  const file = String(template_file)
  const channelId = references.find('channels', channel_id)
  const of = componentsOfTypes[typeOfFile(file) ?? '']
  const entityId = entity_id && of ? references.find(of, entity_id) : entity_id
  const known = channelId !== undefined && entityId !== undefined
  const keys = known ? [pageTargetId({ channelId, file, entityId: String(entityId) })] : []
  const cause = 'the active theme has no such template, or what the page is about is gone'
  const maybe = file === '' ? '' : ` If it does so again, ${cause}.`
  const unread = `GET ${path} with HTTP ${status}`
  const uncreatable = `its content was left out, because its store answered ${unread}.${maybe}`
  const remedy = 'Open the page in the source store. If it shows what was built for it, run again later.'
  return draft(component, id, {}, { keys, name, path: file, uncreatable, remedy, unread })
}

/** The order of the regions in a response has no meaning; shoppers see the order within a region. */
function byName(regions: PlatformItem[]): PlatformItem[] {
  return regions.toSorted((one, other) => String(one.name).localeCompare(String(other.name)))
}

/** One call replaces the whole page, so create and update are the same. */
const publish = (body: PlatformItem) => ({ method: 'POST' as const, path, body, heavy: true })

function pagesOf(
  key: string,
  label: string,
  pages: Lister,
  priced: Pick<Reading, 'length' | 'walkCalls'> = {},
): { component: Component; pass: Pass } {
  const drafts = (item: PlatformItem, references: References) => pageDraft(key, item, references)
  const reading: Reading = { path: `${path} (${key})`, kind: 'staged', limit: 250, idField: 'id', pages, ...priced }
  return {
    component: {
      key,
      label,
      data: 'catalogue',
      recovery: 'resend',
      naturalKey: 'channel, template file and item',
      knownByKey: true,
      destinationOwned: [],
      carried: false,
      widgets: { count: ({ body }) => countWidgets(body.regions), siteWide: key === globalWidgetsKey },
      create: {
        batch: 1,
        call: ([only]) => publish(only?.draft.body ?? {}),
        // The response has no body, so what was sent is taken as saved.
        results: (_status, _body, desired) =>
          desired.map(({ body, keys }) => ({ saved: existing(keys[0] ?? '', body) })),
      },
      update: { call: (desired) => publish(desired.body) },
      remove: { call: ({ id }) => publish({ ...pageTargetFields(pageTargetOf(id)), regions: [] }) },
      probe: async (client) => {
        const found: Draft[] = []
        for await (const { items } of pages(client, path, {}, {}))
          found.push(...items.map((item) => drafts(item, identity)))
        return found
      },
      callsPerItem: { write: 1 },
    },
    pass: {
      key,
      label,
      root: key,
      source: reading,
      picks: { idsParameter: 'pages', otherwise: true, needs: namedBy },
      storefront: ({ channelId }) => ({ channel_id: channelId }),
      destination: { ...reading, complete: true },
      storefrontOf: storefrontOfChannel,
      texts: ['regions'],
      drafts,
    },
  }
}

function existing(id: string, { regions }: PlatformItem): PlatformItem {
  const { channelId, file, entityId } = pageTargetOf(id)
  return { id, channel_id: channelId, template_file: file, entity_id: entityId, regions }
}

/** Everything that a page refers to, and the item it is about. */
function namedBy(item: PlatformItem): { component: string; id: unknown }[] {
  const found: { component: string; id: unknown }[] = []
  const note = (component: string, id: unknown) => {
    if (component !== 'channels' && component !== themeTemplatesKey) found.push({ component, id })
    return Number(id)
  }
  const noteText = (component: string, id: unknown) => {
    found.push({ component, id })
    return String(id)
  }
  pageDraft(pageWidgetsKey, item, { ...identity, need: note, want: note, wantText: noteText })
  return found
}

const single = pagesOf(pageWidgetsKey, 'Page widgets', everyPage, {
  length: countPages,
  // One call for the placements, one for the home page, which is always read.
  walkCalls: { perStorefront: 2, perItem: 1, sideBySide: true },
})
const everywhere = pagesOf(globalWidgetsKey, 'Widgets on all pages', everySiteWide)

export const pageWidgets = defineEntity({
  key: pageWidgetsKey,
  label: 'Page widgets',
  group: 'storefront',
  after: [themeTemplatesKey, widgetTemplatesKey, 'categories', 'brands', 'products', 'pages'],
  scope: 'storefront',
  prune: 'allowed',
  components: [single.component, everywhere.component],
  scopes: [
    {
      scope: 'store_v2_content',
      below: ['/v3/content'],
      probe: { path: '/v3/content/widget-templates', query: { limit: 1 } },
    },
  ],
  notMoved: [
    { what: 'which layout template a layout is made of', why: 'the platform says it itself' },
    { what: 'pages other than the home page that hold layouts without a single widget', why: 'no list shows them' },
    { what: 'widgets on no page', why: 'no shopper sees them' },
    {
      what: 'that placements are switched off',
      why: 'a page is published as a whole, and all of it is shown; a warning names each such page, and one without other widgets is left out',
    },
  ],
  passes: [single.pass, everywhere.pass],
})
