import { describe, expect, test } from 'vitest'
import type { FaultKind } from '../../sandbox/faults.ts'
import { addCatalogueParts } from '../comparison/more-catalogue.ts'
import type { World } from '../harness/world.ts'
import { expectWhole } from './expect-whole.ts'
import { inAWorld } from './in-a-world.ts'
import { longForm, timeout } from './moments.ts'
import {
  banners,
  blogPosts,
  brandMetafields,
  brands,
  categories,
  categoryMetafields,
  complexRules,
  coupons,
  customerAttributes,
  customerGroups,
  customers,
  customsInformation,
  dutyOfPromotions,
  giftCertificates,
  locations,
  metafields,
  modifiers,
  options,
  optionValues,
  pages,
  pageWidgets,
  plantSpareValue,
  priceAssignments,
  priceLists,
  priceRecords,
  productOrder,
  products,
  promotionCodes,
  promotions,
  redirects,
  relatedProducts,
  reviews,
  scripts,
  segmentMembers,
  segments,
  shippingZones,
  shopperProfiles,
  subscribers,
  taxRates,
  templateAssociations,
  variantMetafields,
  widgetTemplates,
  wishlists,
} from './subjects.ts'

const ofMetafields = [metafields, brandMetafields, categoryMetafields, variantMetafields]
const creators = [
  locations,
  shippingZones,
  taxRates,
  categories,
  brands,
  products,
  options,
  optionValues,
  modifiers,
  reviews,
  relatedProducts,
  complexRules,
  productOrder,
  customsInformation,
  giftCertificates,
  coupons,
  promotions,
  promotionCodes,
  dutyOfPromotions,
  scripts,
  banners,
  customerAttributes,
  customers,
  subscribers,
  segments,
  shopperProfiles,
  segmentMembers,
  wishlists,
  pages,
  blogPosts,
  redirects,
  ...ofMetafields,
  priceLists,
  priceRecords,
  customerGroups,
  priceAssignments,
  widgetTemplates,
  templateAssociations,
  pageWidgets,
]

/** A used-up quota is over after a second instead of half a minute. */
const quota = { requests: 1_000_000, windowMs: 1_000 }

/** Each kind once for the writes of every component; those that keep a write from being applied come first, so that it is sent again. */
async function setEverywhere(world: World, kinds: FaultKind[]): Promise<void> {
  for (const kind of kinds) for (const { write } of creators) await world.fault('destination', { kind, ...write })
}

/** Every kind happened, and to every component. */
async function expectHits(world: World, kinds: FaultKind[]): Promise<void> {
  const hit = (await world.faults('destination')).filter(({ hits }) => hits > 0)
  expect(new Set(hit.map(({ kind }) => kind))).toEqual(new Set(kinds))
  expect(new Set(hit.map(({ path }) => path))).toEqual(new Set(creators.map(({ write }) => write.path)))
}

describe.concurrent('an answer that is lost while everybody lives leaves no duplicate and loses nothing', {
  timeout,
}, () => {
  async function expectCopiedDespite(kinds: FaultKind[], seconds: number): Promise<void> {
    await inAWorld({ requestTimeoutSeconds: 1, quota }, async (world) => {
      await plantSpareValue(world)
      await addCatalogueParts(world, 'source')
      await setEverywhere(world, kinds)
      const run = await world.migrate()
      expect(await world.finished(run, { seconds })).toMatchObject({ status: 'completed', failuresOpen: 0 })
      await expectHits(world, kinds)
      await expectWhole(world, run)
    })
  }

  // Of an item that is sent five times in vain the run gives up, and what is simply sent again may meet all kinds of its component.
  const lost: FaultKind[][] = [['reset_before_applying', 'reset_after_applying', 'truncated_body']]
  if (longForm) lost.push(['error_before_applying', 'error_after_applying'])
  for (const kinds of lost)
    test(`once each for every component that creates: ${kinds.join(', ')}`, () =>
      expectCopiedDespite(kinds, longForm ? 600 : 280))

  // A store that is overloaded is left alone for longer every time, and it is once for every component: the long form only.
  if (longForm)
    test(
      'once each for every component that creates: too_many_requests, overloaded',
      () => expectCopiedDespite(['too_many_requests', 'overloaded'], 600),
      660_000,
    )

  test('the store applies a write twenty seconds after we gave up waiting', () =>
    inAWorld({ catalogueOnly: true, requestTimeoutSeconds: 1, settleSeconds: 21 }, async (world) => {
      const late = { kind: 'apply_late', seconds: 21 } as const
      await world.fault('destination', { ...late, ...products.write })
      const run = await world.migrate({ entities: ['products'] })
      expect(await world.finished(run, { seconds: 90 })).toMatchObject({ status: 'completed' })
      expect((await world.faults('destination')).map(({ hits }) => hits)).toEqual([1])
      const names = (await world.state('destination')).products?.map(({ name }) => String(name)) ?? []
      const wanted = (await world.state('source')).products?.map(({ name }) => String(name)) ?? []
      expect(names.sort()).toEqual(wanted.sort())
    }))
})
