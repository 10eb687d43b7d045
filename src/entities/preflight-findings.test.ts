import { expect, test } from 'vitest'
import { findings, type PreflightFacts } from '../model/preflight-findings.ts'
import { limitedComponents, reporterOf } from './registry.ts'

const settings = { currency: 'USD', weight_units: 'LBS', dimension_units: 'Inches', is_price_entered_with_tax: false }

/** Two stores without any findings. */
const quiet: PreflightFacts = {
  settings: { source: settings, destination: settings },
  totals: [
    { component: 'categories', label: 'Categories', most: 16_000, source: 10, destination: 1, mapped: 0 },
    { component: 'brands', label: 'Brands', most: 30_000, source: 10, destination: 1, mapped: 0 },
  ],
  sample: { looked: 100, total: 1000, withStoreFiles: 0, withSharedOptions: 0, withGiftWraps: 0 },
  digitalProducts: 0,
  paymentMethods: 0,
  metafields: { looked: 100, ofOthers: 0 },
  consentEnabled: false,
  clientChanged: false,
  channels: { storefronts: 1, unpaired: [] },
  activeStorefrontLimit: 3,
  pictures: { looked: 5, served: 5, originals: true },
  otherSources: { stores: [], components: [] },
  currenciesPaidIn: [],
  carriers: { looked: 2, total: 2, quoting: [] },
  promotions: { looked: 10, incomplete: 0, missingNames: [] },
}

const keysOf = (facts: Partial<PreflightFacts>) =>
  findings({ ...quiet, ...facts }).map((finding) =>
    'about' in finding
      ? `${finding.code} ${reporterOf(finding.about).component.key} ${finding.about}`
      : `${finding.code} ${finding.component}`,
  )

test('F6: two matching stores without special content have no findings', () => {
  expect(findings(quiet)).toEqual([])
})

test.each([
  ['currency', 'EUR'],
  ['weight_units', 'KGS'],
  ['dimension_units', 'Centimeters'],
  ['is_price_entered_with_tax', true],
])('F6: a different %s is reported with both values', (setting, other) => {
  const facts = { ...quiet, settings: { source: settings, destination: { ...settings, [setting]: other } } }
  // A different default currency also affects the rates of other currencies.
  const rates = setting === 'currency' ? ['different_setting currencies exchange-rates'] : []
  expect(keysOf(facts)).toEqual([`different_setting products ${setting}`, ...rates])
  expect(findings(facts)[0]?.message).toContain(other === true ? '"with tax"' : String(other))
})

test('F6: a setting that a store does not report is not compared', () => {
  expect(keysOf({ settings: { source: settings, destination: {} } })).toEqual([])
})

test.each([
  ['categories', 16_000],
  ['brands', 30_000],
] as const)('F6: %s of both stores may be %i together, and one more is reported', (component, limit) => {
  const most = limitedComponents.find((one) => one.component === component)?.most ?? 0
  const facts = (count: number, mapped = 0) => ({
    totals: quiet.totals.map((total) =>
      total.component === component ? { ...total, most, source: count, destination: 5, mapped } : total,
    ),
  })
  expect(keysOf(facts(limit - 5))).toEqual([])
  expect(keysOf(facts(limit - 4))).toEqual([`platform_limit ${component}`])
  // Items copied before are not counted twice.
  expect(keysOf(facts(limit - 4, 1))).toEqual([])
})

test('F6: a count that a store does not report is not held against a limit', () => {
  const totals = [
    { component: 'categories', label: 'Categories', most: 16_000, source: null, destination: 20_000, mapped: 0 },
    { component: 'brands', label: 'Brands', most: 30_000, source: 40_000, destination: 10, mapped: 0 },
  ]
  expect(keysOf({ totals })).toEqual(['platform_limit brands'])
  expect(keysOf({ digitalProducts: null, paymentMethods: null, metafields: null, consentEnabled: null })).toEqual([])
})

test('F6: everything in the store that the platform cannot copy is reported once, with its count', () => {
  const facts = {
    sample: { looked: 100, total: 1000, withStoreFiles: 21, withSharedOptions: 22, withGiftWraps: 23 },
    digitalProducts: 24,
    paymentMethods: 25,
    consentEnabled: true,
    metafields: { looked: 90, ofOthers: 26 },
    channels: { storefronts: 27, unpaired: [] },
  }
  expect(keysOf(facts)).toEqual([
    'not_copied products digital-files',
    'not_copied products webdav-files',
    'not_copied product-options shared-options',
    'not_copied products gift-wraps',
    'not_copied products payments',
    'not_copied product-metafields metafields-of-others',
    'not_copied products overrides',
    'not_copied customers consents',
  ])
  const messages = findings({ ...quiet, ...facts }).map(({ message }) => message)
  for (const [at, count] of [24, 21, 22, 23, 25, 26, 27, 'consent'].entries())
    expect(messages[at]).toContain(String(count))
})

test('F6: payments in currencies, carrier prices and promotions left off are reported with details', () => {
  const facts = {
    currenciesPaidIn: ['CAD', 'EUR'],
    carriers: { looked: 3, total: 7, quoting: ['upsready', 'fedex', 'upsready'] },
    promotions: { looked: 40, incomplete: 2, missingNames: ['an item of "Segments"', 'channel "Outlet"'] },
  }
  expect(keysOf(facts)).toEqual([
    'not_copied currencies payments-in-currencies',
    'not_copied shipping-methods carriers',
    'not_copied promotions promotions-left-off',
  ])
  const [currencies, carriers, promotions] = findings({ ...quiet, ...facts }).map(({ message }) => message)
  expect(currencies).toContain('payments in CAD, EUR')
  expect(carriers).toMatch(/^The prices of 3 shipping methods in 3 of 7 shipping zones .* \(upsready, fedex\)/)
  expect(promotions).toMatch(/^2 of 40 active promotions .* \(an item of "Segments", channel "Outlet"\)/)
})

test('F6: the first five channels without a counterpart are named', () => {
  const channels = { storefronts: 1, unpaired: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] }
  const [finding] = findings({ ...quiet, channels })
  expect(finding?.code).toBe('channel_unpaired')
  expect(finding?.message).toContain('"a", "b", "c", "d", "e" and 2 more')
  expect(finding?.message).toContain('3 active storefronts')
})

test.each([
  [{ looked: 5, served: 4, originals: false }, 1000, ['picture_reduced product-images originals']],
  [{ looked: 0, served: 0, originals: false }, 1000, ['picture_reduced product-images originals']],
  [{ looked: 0, served: 0, originals: false }, 100, []],
  [{ looked: 1, served: 1, originals: true }, 1000, []],
])('F1: pictures %o of a store with %i products give the findings %o', (pictures, total, expected) => {
  expect(keysOf({ pictures, sample: { ...quiet.sample, total } })).toEqual(expected)
})

test('F6: another API account at the destination is reported', () => {
  expect(keysOf({ clientChanged: true })).toEqual(['client_changed product-metafields destination'])
})

test('G3: copies from another store that may be overwritten are one finding, which names the store and what they are', () => {
  const components = [
    { key: 'brands', label: 'Brands' },
    { key: 'products', label: 'Products' },
  ]
  const found = findings({ ...quiet, otherSources: { stores: ['Second Shop'], components } })
  expect(found).toMatchObject([
    {
      code: 'copy_of_other_source',
      component: 'brands',
      message: expect.stringContaining('copies from "Second Shop" too (brands, products)'),
    },
  ])
})
