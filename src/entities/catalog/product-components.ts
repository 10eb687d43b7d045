import { numberOf } from '../../model/destination-id.ts'
import { chosenFields } from '../core/chosen-fields.ts'
import type { Component } from '../core/component.ts'
import { type Draft, draft, type PlatformItem } from '../core/draft.ts'
import { sortOrder } from '../core/limits.ts'
import { identity } from '../core/references.ts'
import { below, childrenAt, removeAt } from './product-child-calls.ts'
import {
  bulkPricingRuleDraft,
  customFieldDraft,
  imageDraft,
  list,
  modifierDraft,
  optionDraft,
  reviewDraft,
  valueDraft,
  videoDraft,
  withOptionValues,
} from './product-children.ts'
import { variants } from './product-variants.ts'

/**
 * The desired children that already exist, with their ids. An update never sends a child without an id, because that
 * would append one (B5). One that gives up the label that another one gets goes before it.
 */
function knownValues(desired: Draft, existing: Draft): PlatformItem[] {
  const there = new Map(existing.children.map((child) => [child.keys[0], child]))
  const pairs = desired.children.flatMap((child) => {
    const known = there.get(child.keys[0])
    return known ? [{ body: { id: Number(known.id), ...child.body }, label: plainLabel(known) }] : []
  })
  const holders = new Map(pairs.map((pair) => [pair.label, pair]))
  const sent = new Set<PlatformItem>()
  const begun = new Set<PlatformItem>()
  const add = ({ body }: { body: PlatformItem }) => {
    if (begun.has(body)) return
    begun.add(body)
    const holder = holders.get(plainLabel({ body }))
    if (holder) add(holder)
    sent.add(body)
  }
  for (const pair of pairs) add(pair)
  return [...sent]
}

function plainLabel({ body }: Pick<Draft, 'body'>): string {
  return String(body.label ?? '').toLowerCase()
}

function withValues(desired: Draft, values: PlatformItem[]): PlatformItem {
  return values.length > 0 ? { ...desired.body, option_values: values } : desired.body
}

function plainName({ body }: Draft): string {
  return String(body.display_name ?? '').toLowerCase()
}

/** An option or a modifier. Values can be created with it; those added later have their own path below it. */
const choice = {
  data: 'catalogue',
  recovery: 'key',
  naturalKey: 'product and display name, capitals aside',
  clashes: (desired: Draft, sibling: Draft) => plainName(desired) === plainName(sibling),
  freed: ({ id }: Draft) => ({ display_name: id }),
  destinationOwned: [],
  carried: false,
  callsPerItem: { write: 1 },
} as const

const readOption = (item: PlatformItem) => optionDraft(item, identity)
const readModifier = (item: PlatformItem) => modifierDraft(item, identity)
const readImage = (item: PlatformItem) => imageDraft(item, identity)

/** The product without the option: its variants no longer have a value for it. */
function withoutOption(product: Draft, option: Draft): Draft {
  const children = product.children.filter((child) => child !== option)
  return { ...product, children: children.map((child) => variantWithout(child, option.name ?? '')) }
}

function variantWithout(child: Draft, option: string): Draft {
  if (child.component !== 'product-variants') return child
  const values = list(child.body.option_values).filter(({ option_display_name }) => option_display_name !== option)
  return withOptionValues(child, values)
}

const options: Component = {
  ...choice,
  key: 'product-options',
  label: 'Options',
  findings: ['shared-options'],
  uniqueNamesOf: 'choice of products',
  limits: {
    fields: { display_name: { required: true, longest: 255 } },
    children: { 'product-option-values': 250 },
  },
  create: {
    batch: 1,
    call: ([only]) => ({
      method: 'POST',
      path: below(only?.parentId, 'options'),
      body:
        only &&
        withValues(
          only.draft,
          only.draft.children.map((child) => child.body),
        ),
    }),
  },
  update: {
    call: (desired, existing, parentId) => ({
      method: 'PUT',
      path: below(parentId, `options/${existing.id}`),
      body: withValues(desired, knownValues(desired, existing)),
    }),
  },
  remove: { call: removeAt('options'), reshapes: withoutOption },
  read: readOption,
  probe: childrenAt('options', readOption),
  addressBelow: (id, parentId) => `${parentId}/options/${id}`,
}

const modifiers: Component = {
  ...choice,
  key: 'product-modifiers',
  label: 'Modifiers',
  uniqueNamesOf: 'choice of products',
  limits: {
    fields: { display_name: { required: true, longest: 255 } },
    children: { 'product-modifier-values': 250 },
  },
  create: {
    batch: 1,
    // The platform adds Yes and No to a checkbox by itself, and refuses other values.
    call: ([only]) => ({
      method: 'POST',
      path: below(only?.parentId, 'modifiers'),
      body:
        only &&
        withValues(
          only.draft,
          only.draft.children.filter((child) => child.inline).map((child) => child.body),
        ),
    }),
  },
  update: {
    call: (desired, existing, parentId) => ({
      method: 'PUT',
      path: below(parentId, `modifiers/${existing.id}`),
      body: withValues(desired, knownValues(desired, existing)),
    }),
  },
  remove: { call: removeAt('modifiers') },
  read: readModifier,
  probe: childrenAt('modifiers', readModifier),
  addressBelow: (id, parentId) => `${parentId}/modifiers/${id}`,
}

/** Whether a value of a product list refers to a product. */
function namesProduct({ body: { value_data } }: Draft): boolean {
  return typeof value_data === 'object' && value_data !== null && 'product_id' in value_data
}

/** A value that no variant uses is not created with the product; it is added by a separate call. */
function values(key: string, label: string): Component {
  return {
    key,
    label,
    limits: { fields: { label: { required: true } } },
    data: 'catalogue',
    recovery: 'key',
    naturalKey: 'option or modifier, and label, capitals aside',
    destinationOwned: [],
    carried: true,
    create: {
      batch: 1,
      call: ([only]) => ({ method: 'POST', path: below(only?.parentId, 'values'), body: only?.draft.body }),
    },
    // Deleted after the others are written, because an option must keep at least one value.
    remove: { call: removeAt('values'), ...(key === 'product-modifier-values' && { mayBeOfSource: namesProduct }) },
    read: (item) => valueDraft(key, item, identity),
    probe: childrenAt('values', (item) => valueDraft(key, item, identity)),
    callsPerItem: { write: 0 },
  }
}

const images: Component = {
  key: 'product-images',
  label: 'Images',
  findings: ['originals'],
  picture: 'fetched',
  inlineAs: 'images',
  limits: { fields: { image_url: { required: true, longest: 255, alone: true }, sort_order: sortOrder } },
  data: 'catalogue',
  recovery: 'baseline',
  destinationOwned: [],
  // Source: `sort_order` of the published image PUT.
  sortField: 'sort_order',
  changedBySiblings: ['sort_order', 'is_thumbnail'],
  carried: false,
  create: {
    batch: 1,
    call: ([only]) => ({ method: 'POST', path: below(only?.parentId, 'images'), body: only?.draft.body, heavy: true }),
  },
  update: {
    call: (desired, existing, parentId, fields) => ({
      method: 'PUT',
      path: below(parentId, `images/${existing.id}`),
      body: chosenFields(desired.body, fields),
    }),
  },
  remove: { call: removeAt('images') },
  read: readImage,
  probe: childrenAt('images', readImage),
  callsPerItem: { write: 0 },
}

const customFields: Component = {
  key: 'product-custom-fields',
  label: 'Custom fields',
  inlineAs: 'custom_fields',
  limits: {
    fields: {
      name: { required: true, longest: 250 },
      value: { required: true, longest: 250 },
    },
  },
  data: 'catalogue',
  recovery: 'key',
  naturalKey: 'product, name and value',
  sharesLaterKeys: true,
  sentAlone: () => true,
  destinationOwned: [],
  carried: false,
  create: {
    batch: 1,
    call: ([only]) => ({ method: 'POST', path: below(only?.parentId, 'custom-fields'), body: only?.draft.body }),
  },
  update: {
    call: (desired, existing, parentId) => ({
      method: 'PUT',
      path: below(parentId, `custom-fields/${existing.id}`),
      body: desired.body,
    }),
  },
  remove: { call: removeAt('custom-fields'), before: 'siblings' },
  read: customFieldDraft,
  probe: childrenAt('custom-fields', customFieldDraft),
  callsPerItem: { write: 0 },
}

/** Children of a product with a list of their own: POST to the list creates one, PUT to the item updates it. */
function listed(
  what: string,
  make: (item: PlatformItem) => Draft,
  component: Omit<Component, 'destinationOwned' | 'carried' | 'create' | 'update' | 'remove' | 'read' | 'probe'>,
): Component {
  return {
    ...component,
    destinationOwned: [],
    carried: false,
    create: {
      batch: 1,
      call: ([only]) => ({ method: 'POST', path: below(only?.parentId, what), body: only?.draft.body }),
    },
    update: {
      call: (desired, existing, parentId) => ({
        method: 'PUT',
        path: below(parentId, `${what}/${existing.id}`),
        body: desired.body,
      }),
    },
    // Deleted first, because an extra rule may cover the quantities of a desired one.
    remove: { call: removeAt(what), before: 'siblings' },
    read: make,
    probe: childrenAt(what, make),
  }
}

const videos = listed('videos', videoDraft, {
  key: 'product-videos',
  label: 'Videos',
  inlineAs: 'videos',
  limits: { fields: { video_id: { required: true } } },
  data: 'catalogue',
  recovery: 'baseline',
  sentAlone: () => true,
  callsPerItem: { write: 0 },
})

const bulkPricingRules = listed('bulk-pricing-rules', bulkPricingRuleDraft, {
  key: 'product-bulk-pricing-rules',
  label: 'Bulk pricing rules',
  inlineAs: 'bulk_pricing_rules',
  limits: {
    fields: {
      type: { required: true, oneOf: ['price', 'percent', 'fixed'] },
      quantity_min: { required: true, least: 0 },
      amount: { required: true },
    },
  },
  data: 'catalogue',
  recovery: 'key',
  naturalKey: 'product and smallest quantity',
  takesCopies: true,
  sentAlone: () => true,
  clashes: (desired, sibling) => overlap(desired.body, sibling.body),
  callsPerItem: { write: 0 },
})

/** The platform refuses rules for the same quantities. A largest quantity of 0 means that there is none. */
function overlap(one: PlatformItem, other: PlatformItem): boolean {
  const lastOf = ({ quantity_max }: PlatformItem) => Number(quantity_max) || Infinity
  return Number(one.quantity_min) <= lastOf(other) && Number(other.quantity_min) <= lastOf(one)
}

function readableEmail({ email }: PlatformItem) {
  if (typeof email !== 'string' || email === '' || /^[^@\s]+@[^@\s]+$/.test(email)) return undefined
  return { field: 'email', message: 'email must be empty or an address' }
}

/** A review contains its author's name, and often an email address. */
const reviews = listed('reviews', reviewDraft, {
  key: 'product-reviews',
  label: 'Reviews',
  madeByShoppers: true,
  limits: {
    fields: { title: { required: true, longest: 255 }, date_reviewed: { required: true } },
    rules: [readableEmail],
  },
  data: 'personal',
  recovery: 'baseline',
  callsPerItem: { write: 1 },
})

/**
 * A product is sold only on the channels it is assigned to. The call is an upsert, so it is repeated after a lost
 * response.
 */
const channelAssignments: Component = {
  key: 'product-channel-assignments',
  label: 'Channel assignments',
  findings: ['channels'],
  scope: 'storefront',
  data: 'catalogue',
  recovery: 'resend',
  naturalKey: 'product and channel',
  knownAs: ({ body }, productId) => `${productId}:${body.channel_id}`,
  destinationOwned: [],
  carried: false,
  create: {
    batch: 250,
    call: (drafts) => ({
      method: 'PUT',
      path: '/v3/catalog/products/channel-assignments',
      body: drafts.map(({ draft, parentId }) => ({
        product_id: numberOf(parentId),
        channel_id: draft.body.channel_id,
      })),
    }),
    results: (_status, _body, drafts) => drafts.map(() => ({ withoutId: true })),
  },
  remove: {
    call: (existing, parentId) => ({
      method: 'DELETE',
      path: '/v3/catalog/products/channel-assignments',
      query: { 'product_id:in': parentId, 'channel_id:in': String(existing.keys[0]?.slice('channel:'.length)) },
    }),
    addedByPlatform: ({ channelId }) =>
      draft('product-channel-assignments', channelId, { channel_id: channelId }, { keys: [`channel:${channelId}`] }),
  },
  callsPerItem: { write: 0.004 },
}

/** In the order in which they are completed: options before the variants that use their values. */
export const productComponents: readonly Component[] = [
  options,
  values('product-option-values', 'Option values'),
  variants,
  modifiers,
  values('product-modifier-values', 'Modifier values'),
  images,
  customFields,
  videos,
  bulkPricingRules,
  reviews,
  channelAssignments,
]
