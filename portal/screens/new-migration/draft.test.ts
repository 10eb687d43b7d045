import { expect, test } from 'vitest'
import { entities } from '../../../src/entities/registry.ts'
import {
  changeOfStores,
  draftFrom,
  draftOfItem,
  emptyDraft,
  fieldOfPath,
  forecastBodyOf,
  isWide,
  migrationBodyOf,
  missingChoice,
  readDraft,
  staysDeleted,
} from './draft.ts'
import { effectsOf, scopeWords } from './effects.ts'

const pair = { source: 'from1', destination: 'to1' }
const chosen = { ...emptyDraft, ...pair }

test('a draft survives being kept, and one that cannot be read is forgotten', () => {
  expect(readDraft(JSON.stringify(chosen))).toEqual(chosen)
  for (const text of [null, '', 'no json', '{}', JSON.stringify({ ...chosen, strategy: 'destroy' })])
    expect(readDraft(text)).toBeUndefined()
})

test.each([
  [{}, undefined],
  [{ source: '' }, 'Choose the store to copy from.'],
  [{ destination: '' }, 'Choose the store to copy to.'],
  [{ destination: 'from1' }, 'Choose two different stores.'],
  [{ sourceStorefront: '1' }, 'Choose a storefront of both stores, or the whole stores.'],
  [{ sourceStorefront: '1', destStorefront: '2' }, undefined],
  [{ scope: 'kinds' }, 'Choose at least one kind.'],
  [{ scope: 'kinds', kinds: ['brands'] }, undefined],
  [{ scope: 'items' }, 'Pick at least one item.'],
  [{ scope: 'templates' }, 'Choose at least one page template.'],
] as const)('with %j the next choice to make is: %s', (change, message) => {
  expect(missingChoice({ ...chosen, ...change } as typeof chosen)?.message).toBe(message)
})

test('a link about one item asks for a copy of that item alone, by the strategy that repairs it', () => {
  const link = { ...pair, pick: 'brands:12', name: 'Acme', strategy: 'update' } as const
  expect(migrationBodyOf(draftOfItem(link))).toMatchObject({
    ...pair,
    mode: 'full',
    conflictStrategy: 'update',
    selection: { brands: { ids: ['12'] } },
  })
  expect(draftOfItem({ ...link, name: 'Oak' }).label).toBe('Only Oak')
  expect(draftOfItem({ pick: 'brands:12', name: undefined, strategy: undefined })).toEqual({
    ...emptyDraft,
    scope: 'items',
    picks: [{ entity: 'brands', id: '12', name: null }],
    isTrial: false,
  })
})

test('other stores have other storefronts, and another source other items', () => {
  const picked = {
    ...chosen,
    sourceStorefront: '1',
    destStorefront: '2',
    picks: [{ entity: 'brands', id: '12', name: 'Acme' }],
    templates: ['pages/home'],
  }
  const whole = { sourceStorefront: null, destStorefront: null }
  expect(changeOfStores(picked, {})).toEqual(pair)
  expect(changeOfStores(picked, pair)).toEqual(pair)
  expect(changeOfStores(picked, { destination: 'to2' })).toEqual({ ...pair, destination: 'to2', ...whole })
  const anew = { source: 'from2', destination: 'to1', ...whole, picks: [], templates: [], pagesOf: {} }
  expect(changeOfStores(picked, { source: 'from2' })).toEqual(anew)
})

test('what was chosen and put aside again does not reach the request', () => {
  const unused = {
    ...chosen,
    kinds: ['brands'],
    picks: [{ entity: 'products', id: '1', name: null }],
    templates: ['pages/home'],
    deleteShoppersData: ['customers'],
    themes: 'activate' as const,
  }
  expect(forecastBodyOf(unused)).toMatchObject({ ...pair, mode: 'dry-run', selection: {}, pruneLive: [] })
  expect(forecastBodyOf(unused)).not.toHaveProperty('entities')
  expect(forecastBodyOf({ ...unused, scope: 'kinds' })).toMatchObject({ entities: ['brands'], selection: {} })
  expect(forecastBodyOf({ ...unused, scope: 'kinds' }).themes).toBe('activate')
  expect(forecastBodyOf({ ...unused, scope: 'items' }).selection).toEqual({ products: { ids: ['1'] } })
  for (const scope of ['items', 'templates'] as const)
    expect(forecastBodyOf({ ...unused, scope })).not.toHaveProperty('themes')
  expect(forecastBodyOf({ ...unused, scope: 'templates', siteWide: true }).selection).toEqual({
    pageTemplates: [{ file: 'pages/home', globals: true }],
  })
})

test('a migration that deletes asks before its first deletion, unless the person chose otherwise', () => {
  const replacing = { ...chosen, strategy: 'replace' as const, isTrial: false }
  expect(migrationBodyOf(replacing)).toMatchObject({ mode: 'full', pruneLimitPercent: 0, pruneLimitItems: 0 })
  expect(migrationBodyOf({ ...replacing, confirmsDeletions: false, deletionItems: '30' })).toMatchObject({
    pruneLimitPercent: 20,
    pruneLimitItems: 30,
  })
  expect(migrationBodyOf(chosen)).not.toHaveProperty('pruneLimitPercent')
  expect(migrationBodyOf({ ...chosen, label: ' Spring copy ' })).toMatchObject({ label: 'Spring copy' })
  expect(migrationBodyOf(chosen)).not.toHaveProperty('label')
})

test('an earlier migration opens with its choices and its name, and a trial run for real', () => {
  const draft = { ...chosen, scope: 'items' as const, picks: [{ entity: 'products', id: '7', name: null }] }
  const { label = null, selection = {}, ...rest } = migrationBodyOf({ ...draft, label: 'Trial' })
  const settings = {
    ...rest,
    selection,
    pruneLimitPercent: 20,
    pruneLimitItems: 100,
  }
  const again = draftFrom({ label, settings } as unknown as Parameters<typeof draftFrom>[0], pair)
  expect(again).toEqual({ ...draft, isTrial: false, label: 'Trial' })
})

test.each([
  [20, 0],
  [0, 100],
])('an earlier migration that asked before any deletion, by limits of %d percent and %d items, asks again', (percent, items) => {
  const { label = null, ...rest } = migrationBodyOf({ ...chosen, strategy: 'replace' })
  const settings = { ...rest, selection: {}, pruneLimitPercent: percent, pruneLimitItems: items }
  const again = draftFrom({ label, settings } as unknown as Parameters<typeof draftFrom>[0], pair)
  expect(migrationBodyOf(again)).toMatchObject({ pruneLimitPercent: 0, pruneLimitItems: 0 })
})

test('an earlier migration that created deleted customers again and compared pictures does both again', () => {
  const { label = null, ...rest } = migrationBodyOf(chosen)
  const settings = { ...rest, selection: {}, recreateErased: ['customers'], deepImages: true }
  const again = draftFrom({ label, settings } as unknown as Parameters<typeof draftFrom>[0], pair)
  expect(migrationBodyOf(again)).toMatchObject({ recreateErased: ['customers'], deepImages: true })
  expect(forecastBodyOf(again)).toMatchObject({ recreateErased: ['customers'] })
  expect(effectsOf(again).map(({ text }) => text)).toContain(
    'Creates people’s data again that was deleted there, as far as it is ticked under How.',
  )
})

test('an earlier migration of single pages opens with these pages, and not with all of their template', () => {
  const pageTemplates = [
    { file: 'pages/category', globals: false, entityIds: ['7', '9'] },
    { file: 'pages/home', globals: true },
  ]
  const { label = null, ...rest } = migrationBodyOf(chosen)
  const settings = { ...rest, selection: { pageTemplates } }
  const again = draftFrom({ label, settings } as unknown as Parameters<typeof draftFrom>[0], pair)
  expect(forecastBodyOf(again).selection).toEqual({
    pageTemplates: [
      { file: 'pages/category', globals: true, entityIds: ['7', '9'] },
      { file: 'pages/home', globals: false },
    ],
  })
  expect(scopeWords(again, new Map())).toBe('picked pages of 2 templates')
})

test('whatever stays deleted unless it is named can be named', () => {
  const components = entities.flatMap((entity) => entity.components)
  expect(staysDeleted.toSorted()).toEqual(
    components
      .filter(({ staysErased }) => staysErased)
      .map(({ key }) => key)
      .toSorted(),
  )
})

test('a draft that was kept before an update of the service is still there', () => {
  const { createAgain: _, comparesPictures: __, pagesOf: ___, ...older } = chosen
  expect(readDraft(JSON.stringify(older))).toEqual(chosen)
})

test('a refusal leads to the section it is about', () => {
  expect(fieldOfPath('selection.products')).toBe('new-what')
  expect(fieldOfPath('destStorefront')).toBe('new-stores')
  expect(fieldOfPath('orderStatuses.0')).toBe('new-how')
})

test.each([
  ['20', '100', undefined, false],
  ['0', '0', undefined, false],
  ['21', '100', undefined, true],
  ['20', '101', undefined, true],
  ['100', '100', undefined, true],
  ['101', '100', 'Enter a whole number from 0 to 100.', true],
  ['', '100', 'Enter a whole number from 0 to 100.', false],
  ['20', '1.5', 'Enter a whole number.', false],
  ['20', '', 'Enter a whole number.', false],
])('limits of deletion of %s percent and %s items: what is wrong is %s, wider than usual is %s', (deletionPercent, deletionItems, message, isWider) => {
  const draft = { ...chosen, strategy: 'replace' as const, confirmsDeletions: false, deletionPercent, deletionItems }
  expect(missingChoice(draft)?.message).toBe(message)
  expect(isWide(draft)).toBe(isWider)
  expect(missingChoice({ ...draft, confirmsDeletions: true })).toBeUndefined()
  expect(isWide({ ...draft, confirmsDeletions: true })).toBe(false)
})
