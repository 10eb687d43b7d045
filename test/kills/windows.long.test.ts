import { describe, test } from 'vitest'
import * as windows from './kill-windows.ts'
import { timeout } from './moments.ts'
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

const all: { window: windows.KillWindow; subjects: readonly Subject[] }[] = [
  // An option's value and a modifier come after the correction of an option, and what holds the one holds the other.
  { window: windows.beforeSending, subjects: creators.filter((subject) => !after.includes(subject)) },
  {
    window: windows.beforeTheAnswer,
    subjects: [...creators, relatedProducts, productOrder, channelAssignments, customsInformation, ...resent],
  },
  { window: windows.beforeTheCommit, subjects: creators },
  { window: windows.duringTheJob, subjects: [themes] },
  // Brands are one page: by the time its results come its checkpoint is written.
  { window: windows.beforeTheCheckpoint, subjects: [categories, products] },
  { window: windows.duringHandOver, subjects: roots },
  { window: windows.whileDraining, subjects: roots },
  { window: windows.whileSettling, subjects: [...roots, modifiers] },
]

describe.concurrent('a killed run', { timeout }, () => {
  for (const { window, subjects } of all)
    for (const subject of subjects)
      test(`${window.story}: ${subject.component}`, () =>
        windows.expectWholeDespiteKill(window, subject, {
          catalogueOnly: !beside.includes(subject),
          withTheme: ofThemes.includes(subject),
        }))
})
