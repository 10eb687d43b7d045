import { errorsOf, titleOf } from '../../bigcommerce/errors.ts'
import { offsetPages } from '../../bigcommerce/pages.ts'
import type { Probe, WriteResult } from '../core/calls.ts'
import type { Component } from '../core/component.ts'
import { type Draft, draft, type PlatformItem } from '../core/draft.ts'
import type { Pass } from '../core/pass.ts'
import { identity, type References } from '../core/references.ts'

const key = 'price-list-assignments'
const path = '/v3/pricelists/assignments'

/** Source: the published price lists specification. */
const batch = 25

/** For whom a price list is: a customer group, a channel, or a group in a channel. Each has at most one price list. */
function assignmentDraft(item: PlatformItem, references: References): Draft {
  const { id, price_list_id, customer_group_id, channel_id } = item
  const body: PlatformItem = { price_list_id: references.need('price-lists', price_list_id) }
  if (isNamed(customer_group_id)) body.customer_group_id = references.need('customer-groups', customer_group_id)
  if (isNamed(channel_id)) body.channel_id = references.need('channels', channel_id)
  const who = [
    ...(isNamed(customer_group_id) ? [`customer group ${customer_group_id}`] : []),
    ...(isNamed(channel_id) ? [`channel ${channel_id}`] : []),
  ]
  return draft(key, id, body, {
    keys: [`for:${body.customer_group_id ?? 0}/${body.channel_id ?? 0}`],
    name: `price list ${price_list_id} for ${who.join(' in ')}`,
    parentId: String(body.price_list_id),
  })
}

/** If an assignment has no group or channel, the platform leaves out the field. */
function isNamed(id: unknown): boolean {
  return typeof id === 'number' && id > 0
}

const probe: Probe = async (client) => {
  const found: Draft[] = []
  for await (const { items } of offsetPages<PlatformItem>(client, path))
    found.push(...items.map((item) => assignmentDraft(item, identity)))
  return found
}

/** Shape G. A successful response contains no ids, so all of the assignments are looked up. */
function assignmentResults(httpStatus: number, body: unknown, desired: Draft[]): WriteResult[] {
  if (httpStatus !== 422) return desired.map(() => ({ lookFor: true }))
  const title = titleOf(body) || 'The assignment was not created'
  return desired.map((_one, at) => {
    const own = Object.entries(errorsOf(body)).filter(([field]) => desired.length === 1 || field.startsWith(`${at}.`))
    return { refused: { title, errors: Object.fromEntries(own) }, withOthers: own.length === 0 }
  })
}

export const priceAssignment: Component = {
  key,
  label: 'Assignments of price lists',
  scope: 'storefront',
  data: 'catalogue',
  recovery: 'key',
  naturalKey: 'customer group and channel',
  destinationOwned: [],
  carried: false,
  create: {
    batch,
    call: (desired) => ({ method: 'POST', path, body: desired.map((one) => one.draft.body) }),
    readsRefusals: true,
    results: assignmentResults,
  },
  update: {
    // Replaces the price list that the group currently has in the channel.
    call: ({ body: { price_list_id, ...body } }) => ({
      method: 'PUT',
      path: `/v3/pricelists/${price_list_id}/assignments`,
      body,
    }),
  },
  remove: { call: (existing) => ({ method: 'DELETE', path, query: { id: existing.id } }) },
  probe,
  callsPerItem: { write: 1 / batch },
}

/** Assignments refer to customer groups, which may refer to price lists, so they wait for the groups (C5). */
export const priceAssignments: Pass = {
  key,
  label: 'Assignments of price lists',
  root: key,
  below: 'price-lists',
  afterPhases: ['customer-groups'],
  storefront: ({ channelId }) => ({ 'channel_id:in': channelId }),
  source: { path, kind: 'staged', byCursor: true, limit: 250, idField: 'id' },
  destination: { path, kind: 'staged', byCursor: true, limit: 250, idField: 'id', complete: true },
  lookUpById: { idsParameter: 'id:in' },
  drafts: assignmentDraft,
}
