import { describe, expect, test } from 'vitest'
import type { ToCreate } from './core/calls.ts'
import type { Component } from './core/component.ts'
import { draft } from './core/draft.ts'
import { defineEntity, type Entity } from './core/entity.ts'
import { entities } from './registry.ts'

const component = (more: object = {}): Component => ({
  key: 'things',
  label: 'Things',
  data: 'catalogue',
  recovery: 'key',
  destinationOwned: [],
  carried: false,
  create: { batch: 1, call: () => ({ method: 'POST', path: '/v3/things', body: {} }) },
  probe: async () => [],
  callsPerItem: { write: 1 },
  ...more,
})

const entity = (...components: Component[]): Entity => ({
  key: 'things',
  label: 'Things',
  group: 'catalog',
  after: [],
  scope: 'store',
  prune: 'never',
  passes: [],
  components,
  notMoved: [],
})

describe('B3: the registry refuses a component', () => {
  test.each([
    ['that does not say how a lost answer is settled', component({ recovery: undefined }), 'declares no recovery'],
    ['whose recovery is none of the three', component({ recovery: 'hope' }), 'declares no recovery'],
    ['that is found by key but has no probe', component({ probe: undefined }), 'has no probe'],
    [
      'that is recognised by a baseline but has no probe',
      component({ recovery: 'baseline', probe: undefined }),
      'has no probe',
    ],
    ['that does not say what may be stored of it', component({ data: undefined }), 'declares no data class'],
    [
      'that can neither be created nor is carried',
      component({ create: undefined }),
      'can neither be created nor is it carried',
    ],
  ])('%s', (_what, given, reason) => {
    expect(() => defineEntity(entity(given))).toThrow(reason)
  })

  test('and takes one that says all of it', () => {
    expect(defineEntity(entity(component())).components).toHaveLength(1)
  })
})

test('the registry refuses a walk that is not walked to be counted and does not say what it asks', () => {
  const reading = {
    path: '/v3/things',
    kind: 'staged' as const,
    limit: 250,
    idField: 'id',
    pages: async function* () {
      yield { items: [], total: 0, read: 0 }
    },
  }
  const read = (more: object) => {
    const [source, destination] = [
      { ...reading, ...more },
      { ...reading, complete: true },
    ]
    const pass = {
      key: 'things',
      label: 'Things',
      root: 'things',
      source,
      destination,
      drafts: () => draft('things', 1, {}),
    }
    return () => defineEntity({ ...entity(component()), passes: [pass] })
  }
  expect(read({ usually: 3 })).toThrow('does not say what it asks')
  expect(read({ length: async () => 3 })).toThrow('does not say what it asks')
  expect(read({ usually: 3, walkCalls: { once: 2 } })).not.toThrow()
  expect(read({})).not.toThrow()
})

describe('B3: how an unconfirmed write is settled', () => {
  const components = entities.flatMap((one) => one.components)
  const keysOf = (found: readonly Component[]) => found.map(({ key }) => key)

  test('only what replaces everything is sent again: a PUT, or one of these', () => {
    const item = draft('any', '1', {}, { keys: ['1/1'], parentId: '1' })
    const one: ToCreate = { draft: item, parentId: '1', parent: null }
    const resent = components.filter(({ recovery }) => recovery === 'resend')
    expect(keysOf(resent.filter(({ create }) => create && create.call([one]).method !== 'PUT'))).toEqual([
      // An address that already exists is missing from the response, and is not created again.
      'customer-addresses',
      // Sets what a channel shows.
      'theme-activations',
      // Replaces the whole layout of a page.
      'page-widgets',
      'global-widgets',
    ])
  })

  test('what the platform allows twice is never looked for by its key alone', () => {
    const byKey = components.filter(({ recovery }) => recovery === 'key')
    expect(keysOf(byKey.filter(({ sharesKeys }) => sharesKeys))).toEqual([])
    const byBaseline = keysOf(components.filter(({ recovery }) => recovery === 'baseline'))
    expect(byBaseline).toEqual(
      expect.arrayContaining([
        ...['product-images', 'product-videos', 'product-reviews', 'wishlists', 'shipping-zones', 'shipping-methods'],
        ...['tax-zones', 'tax-rates', 'promotions', 'blog-posts', 'themes', 'widget-templates', 'scripts', 'banners'],
        'order-shipments',
      ]),
    )
  })
})

describe('B1: a refusal that says nothing about single items refuses all of them, each maybe because of another', () => {
  const readers = entities.flatMap(({ components }) => components.filter(({ create }) => create?.readsRefusals))
  test.each(readers.map((one) => [one.label, one] as const))('%s', (_label, { key, create }) => {
    const drafts = ['1', '2'].map((id) => draft(key, id, {}, { keys: [`name:${id}`], parentId: '7' }))
    const read = create?.results?.(422, { status: 422, title: 'No', type: '', errors: {} }, drafts, ['7', '7'])
    expect(read).toEqual(drafts.map(() => ({ withOthers: true, refused: { title: expect.any(String), errors: {} } })))
  })
})

test('every entity comes after those it refers to', () => {
  const order = entities.map(({ key }) => key)
  for (const { key, after } of entities)
    for (const before of after)
      expect(order.indexOf(before), `${before} before ${key}`).toBeLessThan(order.indexOf(key))
})

test('component keys are unique: they are the keys of mappings, ledger and counters', () => {
  const keys = entities.flatMap(({ components }) => components.map(({ key }) => key))
  expect(new Set(keys).size).toBe(keys.length)
})
