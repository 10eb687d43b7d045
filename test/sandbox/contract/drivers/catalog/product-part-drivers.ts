import { pictureForm } from '../../../picture-form.ts'
import type { Shop } from '../contract-shop.ts'
import type { Driver } from '../driver.ts'
import { aPart, type PartKind, partDrivers } from '../part-drivers.ts'
import { PRODUCTS, product } from './product-drivers.ts'

const ownerPath = `${PRODUCTS}/:productId`

async function owner({ made }: Shop): Promise<number[]> {
  return [(await made('POST', PRODUCTS, product())).id]
}

const IMAGE: PartKind = {
  ownerPath,
  owner,
  folder: 'images',
  parameter: 'imageId',
  part: ({ picture }) => ({ image_url: picture('lamp.png'), is_thumbnail: true, description: 'Lamp', sort_order: 2 }),
  change: { description: 'Another lamp', sort_order: 3, is_thumbnail: true },
  bad: { description: 'No picture' },
  refused: async (shop) => ({ ids: await owner(shop), body: { image_url: shop.picture('missing.png') } }),
  badChange: { sort_order: 'second' },
  form: () => pictureForm('lamp.png', undefined, { description: 'Lamp' }),
  listsNone: true,
}

const CUSTOM_FIELD: PartKind = {
  ownerPath,
  owner,
  folder: 'custom-fields',
  parameter: 'customFieldId',
  part: () => ({ name: 'Care', value: 'Dust it' }),
  change: { name: 'Care', value: 'Wipe it' },
  bad: { name: 'Care', value: '' },
  badChange: { name: 'Care', value: 'v'.repeat(251) },
}

const VIDEO: PartKind = {
  ownerPath,
  owner,
  folder: 'videos',
  parameter: 'childId',
  part: () => ({ title: 'On', description: 'Press', sort_order: 0, type: 'youtube', video_id: 'z3fRu9pkuXE' }),
  change: { title: 'Off', description: 'Press again', sort_order: 1 },
  bad: { title: 'No video', video_id: '' },
}

const BULK_PRICING_RULE: PartKind = {
  ownerPath,
  owner,
  folder: 'bulk-pricing-rules',
  parameter: 'childId',
  part: () => ({ quantity_min: 10, quantity_max: 19, type: 'price', amount: 2 }),
  change: { quantity_min: 10, quantity_max: 29, type: 'percent', amount: 5 },
  bad: { quantity_min: 10, quantity_max: 5, type: 'price', amount: 2 },
  badChange: { quantity_min: 1, quantity_max: 9, type: 'gift', amount: 2 },
}

const REVIEW: PartKind = {
  ownerPath,
  owner,
  folder: 'reviews',
  parameter: 'childId',
  part: () => ({
    title: 'Bright',
    text: 'It shines',
    status: 'approved',
    rating: 5,
    email: 'reader@example.com',
    name: 'A reader',
    date_reviewed: '2026-01-02T03:04:05+00:00',
  }),
  change: { title: 'Very bright', rating: 4, date_reviewed: '2026-01-03T03:04:05+00:00' },
  bad: { title: 'No date' },
  badChange: { rating: 9 },
  listsNone: true,
}

async function aModifier(
  { made }: Shop,
  [productId]: number[],
  display_name: string,
): Promise<Record<string, unknown>> {
  const modifier = await made('POST', `${PRODUCTS}/${productId}/modifiers`, {
    display_name,
    type: 'dropdown',
    required: false,
    option_values: [{ label: 'Silk', sort_order: 0 }],
  })
  const [value] = modifier.option_values as { id: number }[]
  return { modifier_id: modifier.id, modifier_value_id: value?.id, variant_id: null }
}

const COMPLEX_RULE: PartKind = {
  ownerPath,
  owner,
  folder: 'complex-rules',
  parameter: 'childId',
  part: async (shop, ids) => ({
    sort_order: 1,
    enabled: true,
    stop: false,
    purchasing_disabled: false,
    purchasing_disabled_message: '',
    purchasing_hidden: false,
    image_url: '',
    price_adjuster: { adjuster: 'relative', adjuster_value: 8 },
    weight_adjuster: { adjuster: 'percentage', adjuster_value: 10 },
    conditions: [await aModifier(shop, ids, 'Shade'), await aModifier(shop, ids, 'Foot')],
  }),
  change: { sort_order: 2, enabled: false },
  bad: { conditions: [] },
  badChange: { conditions: [] },
  refused: async (shop) => {
    const [productId = 0, ruleId] = await aPart(shop, COMPLEX_RULE)
    const { conditions } = await shop.made('GET', `${PRODUCTS}/${productId}/complex-rules/${ruleId}`)
    const wanted = (conditions as Record<string, unknown>[]).map(({ modifier_id, modifier_value_id, variant_id }) => ({
      modifier_id,
      modifier_value_id,
      variant_id,
    }))
    return { ids: [productId], body: { conditions: wanted } }
  },
}

export const productPartDrivers: Driver[] = [
  IMAGE,
  CUSTOM_FIELD,
  VIDEO,
  BULK_PRICING_RULE,
  REVIEW,
  COMPLEX_RULE,
].flatMap(partDrivers)
