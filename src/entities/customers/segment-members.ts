import { completePages } from '../../bigcommerce/complete-pages.ts'
import { cursorPages } from '../../bigcommerce/pages.ts'
import { list } from '../catalog/product-children.ts'
import type { WriteResult } from '../core/calls.ts'
import type { Component } from '../core/component.ts'
import { type Draft, draft, type PlatformItem } from '../core/draft.ts'
import type { Pass } from '../core/pass.ts'
import type { Lister, Reading } from '../core/reading.ts'
import { identity, MissingReference, type References } from '../core/references.ts'
import { rowsIn, savedByKey } from '../core/saved-by-key.ts'
import { profilesPath, segmentsPath, whereOffered } from './where-offered.ts'

/** Source: the published segments specification. */
const batch = 50

const membersOf = (segmentId: unknown) => `${segmentsPath}/${segmentId}/shopper-profiles`

const everyProfile = whereOffered(completePages, segmentsPath)

/** The only thing that a shopper profile says is which customer it is. */
function profileDraft(item: PlatformItem, references: References): Draft {
  const customer_id = references.need('customers', item.customer_id)
  return draft('shopper-profiles', item.id, { customer_id }, { keys: [`customer:${customer_id}`] })
}

export const shopperProfile: Component = {
  key: 'shopper-profiles',
  label: 'Shopper profiles',
  data: 'personal',
  recovery: 'key',
  naturalKey: 'customer',
  madeByShoppers: true,
  destinationOwned: [],
  carried: false,
  create: {
    batch,
    call: (desired) => ({ method: 'POST', path: profilesPath, body: desired.map((one) => one.draft.body) }),
    results: (_status, body, desired) => savedByKey(body, desired, { read: (item) => profileDraft(item, identity) }),
  },
  remove: { call: ({ id }) => ({ method: 'DELETE', path: profilesPath, query: { 'id:in': id } }) },
  probe: async (client) => {
    const found: Draft[] = []
    for await (const { items } of everyProfile(client, profilesPath, {}, {}))
      found.push(...items.map((item) => profileDraft(item, identity)))
    return found
  },
  callsPerItem: { write: 1 / batch },
}

const profilesReading: Reading = {
  path: profilesPath,
  kind: 'staged',
  limit: 250,
  idField: 'id',
  pages: everyProfile,
}

export const shopperProfiles: Pass = {
  key: 'shopper-profiles',
  label: 'Shopper profiles',
  root: 'shopper-profiles',
  about: { component: 'customers', field: 'customer_id' },
  source: profilesReading,
  destination: { ...profilesReading, complete: true },
  drafts: profileDraft,
}

/** A membership has no id; this field holds one that we make up. */
const idField = 'membership'

function membership(segment_id: unknown, profile_id: unknown, customer_id?: unknown): PlatformItem {
  return { [idField]: `${segment_id}/${profile_id}`, segment_id, profile_id, customer_id }
}

function memberDraft(item: PlatformItem, references: References): Draft {
  // The profile of an erased customer went with the customer.
  if (item.customer_id !== undefined) references.need('customers', item.customer_id)
  const segment = needText('segments', item.segment_id, references)
  const profile = needText('shopper-profiles', item.profile_id, references)
  return draft(
    'segment-members',
    item[idField],
    { segment, profile },
    { keys: [`member:${segment}/${profile}`], parentId: segment },
  )
}

/** @throws MissingReference if the destination has no counterpart */
function needText(component: string, id: unknown, references: References): string {
  const found = references.wantText(component, id)
  if (found === undefined) throw new MissingReference(component, String(id))
  return found
}

function memberResults(_httpStatus: number, body: unknown, desired: Draft[]): WriteResult[] {
  const added = new Set(rowsIn(body).map(({ id }) => id))
  return desired.map(({ body: { segment, profile } }) =>
    added.has(profile) ? { saved: membership(segment, profile) } : { lookFor: true },
  )
}

export const segmentMember: Component = {
  key: 'segment-members',
  label: 'Members of segments',
  data: 'personal',
  recovery: 'key',
  naturalKey: 'segment and customer',
  madeByShoppers: true,
  destinationOwned: [],
  carried: false,
  create: {
    batch,
    together: ({ draft: { parentId } }) => parentId ?? '',
    call: (desired) => ({
      method: 'POST',
      path: membersOf(desired[0]?.draft.parentId),
      body: desired.map((one) => one.draft.body.profile),
    }),
    results: memberResults,
  },
  remove: {
    call: ({ id }) => {
      const [segment, profile = ''] = id.split('/')
      return { method: 'DELETE', path: membersOf(segment), query: { 'id:in': profile } }
    },
  },
  probe: async (client, { parentIds }) => {
    const found: Draft[] = []
    for (const segment of parentIds)
      for await (const { items } of everyProfile(client, membersOf(segment), {}, {}))
        found.push(...items.map(({ id }) => memberDraft(membership(segment, id), identity)))
    return found
  },
  callsPerItem: { write: 1 / batch },
}

/**
 * The members of segments, read from the list of customers: 250 customers a call, with permission to read. The platform
 * lists the members of a segment only to tokens that may modify it (decision 0014). In a store without segments, this
 * makes just one call.
 */
const pagesOfMembers: Lister = async function* (client, path, query, options) {
  const { body } = await client.get<{ data?: unknown[] }>(segmentsPath, { limit: 1 }, options)
  let read = 0
  const customers = list(body.data).length > 0 ? cursorPages<PlatformItem>(client, path, query, options) : []
  for await (const { items } of customers) {
    const members = items.flatMap(({ id, shopper_profile_id, segment_ids }) =>
      (Array.isArray(segment_ids) ? segment_ids : []).map((segment) => membership(segment, shopper_profile_id, id)),
    )
    read += members.length
    yield { items: members, total: null, read }
  }
}

const membersReading: Reading = {
  path: '/v3/customers',
  query: { include: 'shopper_profile_id,segment_ids' },
  kind: 'staged',
  limit: 250,
  idField,
  pages: whereOffered(pagesOfMembers, profilesPath),
}

export const segmentMembers: Pass = {
  key: 'segment-members',
  label: 'Members of segments',
  root: 'segment-members',
  below: 'segments',
  about: { component: 'customers', field: 'customer_id' },
  source: membersReading,
  destination: { ...membersReading, complete: true },
  drafts: memberDraft,
}
