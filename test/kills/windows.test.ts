import { afterAll, describe, expect, test } from 'vitest'
import { addCatalogueParts } from '../comparison/more-catalogue.ts'
import type { World } from '../harness/world.ts'
import { likeTheBornOne, showTheme } from '../show-theme.ts'
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
  channelAssignments,
  complexRules,
  coupons,
  customerAttributes,
  customerConsents,
  customerGroups,
  customers,
  customsInformation,
  dutyOfPromotions,
  giftCertificates,
  inventory,
  locations,
  metafields,
  modifiers,
  options,
  optionValues,
  orderMetafields,
  orderShipments,
  orders,
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
  type Subject,
  scripts,
  searchFilterContexts,
  segmentMembers,
  segments,
  shippingZones,
  shopperProfiles,
  subscribers,
  taxRates,
  templateAssociations,
  themeActivations,
  themes,
  variantMetafields,
  widgetTemplates,
  wishlists,
} from './subjects.ts'
import * as windows from './windows.ts'

interface Window {
  when: string
  kill(world: World, subject: Subject): Promise<string>
  /** For `npm test`; the long form takes all of `every`. */
  short: Subject[]
  every: Subject[]
  requestTimeoutSeconds?: number
}

const roots = [brands, categories, products]
const ofMetafields = [metafields, brandMetafields, categoryMetafields, variantMetafields]
const marketing = [giftCertificates, coupons, promotions, promotionCodes, scripts, banners]
const ofPrices = [priceLists, customerGroups, priceAssignments]
/** Around the catalogue: one that is found by key, by what was there before, and in batches. */
const around = [locations, shippingZones, taxRates]
const people = [customerAttributes, customers, segments, shopperProfiles, segmentMembers, subscribers, wishlists]
const ofThemes = [themes, themeActivations]
const content = [pages, blogPosts, ...ofThemes, widgetTemplates, templateAssociations, pageWidgets]
const sales = [orders, orderShipments, orderMetafields]
const ofOthers = [...ofPrices, ...marketing, ...around, ...people, ...content, ...sales]
const creators = [...roots, ...ofOthers, options, optionValues, modifiers, reviews, complexRules, ...ofMetafields]
const resent = [priceRecords, dutyOfPromotions, redirects, customerConsents, searchFilterContexts, inventory]
const beside = [...ofOthers, ...resent]
/** Those that come after another call below their product or order, and are held with it. */
const after = [optionValues, modifiers, reviews, complexRules, orderShipments]

const all: Window[] = [
  // An option's value and a modifier come after the correction of an option, and what holds the one holds the other.
  {
    when: 'intent committed and not sent',
    kill: windows.killBeforeSending,
    short: [brands],
    every: creators.filter((subject) => !after.includes(subject)),
  },
  {
    when: 'applied and not answered',
    kill: windows.killBeforeTheAnswer,
    short: [categories, products, modifiers, relatedProducts, locations],
    every: [...[...creators, relatedProducts, productOrder, channelAssignments, customsInformation], ...resent],
  },
  { when: 'answered and not recorded', kill: windows.killBeforeTheCommit, short: [products], every: creators },
  { when: 'a job of the platform under way', kill: windows.killDuringTheJob, short: [themes], every: [themes] },
  // Brands are one page: by the time its results come its checkpoint is written.
  {
    when: 'recorded before the checkpoint',
    kill: windows.killBeforeTheCheckpoint,
    requestTimeoutSeconds: 8,
    short: [products],
    every: [categories, products],
  },
  { when: 'handing over', kill: windows.killDuringHandOver, short: [products], every: roots },
  { when: 'draining with an answer missing', kill: windows.killWhileDraining, short: [brands], every: roots },
  { when: 'settling a doubt', kill: windows.killWhileSettling, short: [brands], every: [...roots, modifiers] },
]

const cases = all.flatMap((window) =>
  (longForm ? window.every : window.short).map((subject) => ({ ...window, subject })),
)
let begun = 0
const hits = new Map(all.map(({ when }) => [when, 0]))

afterAll(() => {
  console.log(`Kills by window: ${[...hits].map(([when, count]) => `${when} ${count}`).join(', ')}`)
  // Part of the suite, chosen by title, leaves windows out.
  if (begun < cases.length) return
  for (const [when, count] of hits) expect(count, when).toBeGreaterThan(0)
})

describe.concurrent('a killed run leaves no duplicate and loses nothing', { timeout }, () => {
  for (const { when, kill, subject, requestTimeoutSeconds } of cases) {
    test(`${when}: ${subject.component}`, () => {
      begun++
      const catalogueOnly = !beside.includes(subject)
      return inAWorld({ requestTimeoutSeconds, catalogueOnly }, async (world) => {
        await plantSpareValue(world)
        await addCatalogueParts(world, 'source')
        if (ofThemes.includes(subject)) await showTheme(world, await likeTheBornOne(world))
        const run = await kill(world, subject)
        hits.set(when, (hits.get(when) ?? 0) + 1)
        expect(await world.finished(run, { seconds: 120 })).toMatchObject({ status: 'completed', failuresOpen: 0 })
        await expectWhole(world, run)
      })
    })
  }
})
