import { offsetPages } from '../../bigcommerce/pages.ts'
import { chosenFields } from '../core/chosen-fields.ts'
import type { Component } from '../core/component.ts'
import { type Draft, draft, type PlatformItem } from '../core/draft.ts'
import { defineEntity } from '../core/entity.ts'
import { linked, linkedAddress } from '../core/links.ts'
import { identity, type References } from '../core/references.ts'
import { leftOutWithChannel, storefrontOfChannel } from '../core/storefront-channels.ts'

const path = '/v3/content/scripts'

/** A script runs in every shopper's browser, so it is created disabled and enabled once everything else exists (D5). */
function scriptDraft(item: PlatformItem, references: References): Draft {
  const {
    uuid,
    api_client_id: _client,
    date_created: _created,
    date_modified: _modified,
    channel_id,
    consent_category,
    enabled,
    ...rest
  } = item
  const channel = references.find('channels', channel_id)
  const body: PlatformItem = { ...rest, ...codeOf(rest, references), channel_id: channel }
  // The platform returns `unknown` for a category that was never chosen, but does not accept it.
  if (consent_category !== 'unknown') body.consent_category = consent_category
  const name = String(item.name ?? '')
  return draft(
    'scripts',
    uuid,
    { ...body, enabled: false },
    {
      compare: { ...body, enabled },
      keys: channel === undefined ? [] : [`script in ${channel}:${name.trim().toLowerCase()}`],
      name,
      deferred: enabled === true ? { enabled: true } : null,
      ...(channel === undefined && leftOutWithChannel),
    },
  )
}

/** The platform refuses the field that belongs to the other kind of script. */
function codeOf({ kind, src, html }: PlatformItem, references: References): PlatformItem {
  return kind === 'script_tag'
    ? { html: linked(html, references), src: undefined }
    : { src: linkedAddress(src, references), html: undefined }
}

const script: Component = {
  key: 'scripts',
  label: 'Scripts',
  // Scripts contain keys for other services.
  data: 'secret',
  recovery: 'baseline',
  naturalKey: 'name, capitals aside, and channel',
  sharesKeys: true,
  destinationOwned: ['enabled'],
  ofClient: true,
  hiddenFromOthers: () => true,
  carried: false,
  create: { batch: 1, call: ([only]) => ({ method: 'POST', path, body: only?.draft.body }) },
  update: {
    call: (desired, existing, _parentId, fields) => ({
      method: 'PUT',
      path: `${path}/${existing.id}`,
      body: chosenFields({ ...desired.body, enabled: desired.compare.enabled }, fields),
    }),
  },
  probe: async (client) => {
    const found: Draft[] = []
    for await (const { items } of offsetPages<PlatformItem>(client, path, {}))
      found.push(...items.map((item) => scriptDraft(item, identity)))
    return found
  },
  callsPerItem: { write: 2 },
}

const reading = { path, kind: 'staged', limit: 250, idField: 'uuid' } as const

export const scripts = defineEntity({
  key: 'scripts',
  label: 'Scripts',
  group: 'storefront',
  after: ['products'],
  scope: 'storefront',
  // The platform shows each account its own only, so that the source may have what it does not show (D4).
  prune: 'never',
  scopes: [
    { scope: 'store_v2_content', below: [path], probe: { path, query: { limit: 1 } } },
    // For scripts on checkout pages. Source: scripts.v3, authentication.
    { scope: 'store_content_checkout' },
  ],
  components: [script],
  notMoved: [
    {
      what: 'scripts of other API accounts and those made in the control panel',
      why: 'the platform shows each account its own only',
    },
    {
      what: 'the consent category of scripts without one',
      why: 'the platform shows it as unknown and accepts no such value',
    },
  ],
  passes: [
    {
      key: 'scripts',
      label: 'Scripts',
      root: 'scripts',
      about: { field: 'channel_id', component: 'channels' },
      source: reading,
      destination: { ...reading, complete: true },
      lookUpById: { address: (id) => `${path}/${id}` },
      storefrontOf: storefrontOfChannel,
      texts: ['html', 'src'],
      drafts: scriptDraft,
    },
  ],
})
