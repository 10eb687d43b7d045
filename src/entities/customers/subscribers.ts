import { offsetPages } from '../../bigcommerce/pages.ts'
import { chosenFields } from '../core/chosen-fields.ts'
import type { Component } from '../core/component.ts'
import { type Draft, draft, type PlatformItem } from '../core/draft.ts'
import { defineEntity } from '../core/entity.ts'
import { text } from '../core/limits.ts'
import { identity, type References } from '../core/references.ts'
import { leftOutWithChannel } from '../core/storefront-channels.ts'

const path = '/v3/customers/subscribers'

/**
 * The order in which someone subscribed is not copied, because orders get other ids. A subscription stays with the
 * storefront where consent was given.
 */
function subscriberDraft(item: PlatformItem, references: References): Draft {
  const { id, date_created: _dc, date_modified: _dm, order_id: _order, channel_id, consents, ...rest } = item
  const channel = references.find('channels', channel_id)
  const given = Array.isArray(consents) ? consents.map(String).sort() : []
  const email = String(item.email ?? '')
  return draft(
    'subscribers',
    id,
    { ...rest, channel_id: channel, consents: given },
    {
      keys: channel === undefined ? [] : [`subscriber in ${channel}:${email.trim().toLowerCase()}`],
      ...(channel === undefined && leftOutWithChannel),
    },
  )
}

const read = (item: PlatformItem) => subscriberDraft(item, identity)

const subscriber: Component = {
  key: 'subscribers',
  label: 'Subscribers',
  limits: { fields: { email: { required: true }, first_name: text, last_name: text, source: text } },
  data: 'personal',
  staysErased: true,
  recovery: 'key',
  naturalKey: 'email, capitals aside, and channel',
  madeByShoppers: true,
  uniqueFields: ['email'],
  destinationOwned: ['consents'],
  carried: false,
  create: { batch: 1, call: ([only]) => ({ method: 'POST', path, body: only?.draft.body }) },
  update: {
    call: (desired, existing, _parentId, fields) => ({
      method: 'PUT',
      path: `${path}/${existing.id}`,
      body: chosenFields(desired.body, fields),
    }),
  },
  // A DELETE of one id, never with a filter: without one it deletes the whole list.
  remove: { call: (existing) => ({ method: 'DELETE', path: `${path}/${existing.id}` }) },
  probe: async (client, { keys }) => {
    const emails = keys.flat().map((key) => key.slice(key.indexOf(':') + 1))
    const found: Draft[] = []
    // Keys may not be stored; without them, all subscribers are listed.
    for (const email of emails.length > 0 ? emails : [undefined])
      for await (const { items } of offsetPages<PlatformItem>(client, path, { email })) found.push(...items.map(read))
    return found
  },
  callsPerItem: { write: 1 },
}

const reading = { path, kind: 'staged', limit: 250, idField: 'id' } as const

export const subscribers = defineEntity({
  key: 'subscribers',
  label: 'Subscribers',
  group: 'customers',
  after: [],
  scope: 'storefront',
  prune: 'allowed',
  components: [subscriber],
  notMoved: [
    { what: 'the order that a subscription came with', why: 'orders get other ids' },
    { what: 'the date of a subscription', why: 'the platform records it itself' },
  ],
  passes: [
    {
      key: 'subscribers',
      label: 'Subscribers',
      root: 'subscribers',
      picks: {},
      about: { field: 'channel_id', component: 'channels' },
      source: reading,
      destination: { ...reading, complete: true },
      lookUpById: { idsParameter: 'id:in' },
      changedSince: 'date_modified:min',
      drafts: subscriberDraft,
    },
  ],
})
