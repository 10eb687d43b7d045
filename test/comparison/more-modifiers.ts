import type { World } from '../harness/world.ts'

/** Kinds of modifiers that the tiny seed does not have: their settings are fields too. */
export async function addModifiers(world: World): Promise<void> {
  const products = (await world.state('source')).products ?? []
  const idOf = (sku: string) => products.find((product) => product.sku === sku)?.id
  await post(world, `/v3/catalog/products/${idOf('SKU-00003')}/modifiers`, deliveryDate)
  // On a product that no order sells: the destination refuses orders of it without a warranty (G15).
  await post(world, `/v3/catalog/products/${idOf('SKU-00006')}/modifiers`, warranty)
  await post(world, `/v3/catalog/products/${idOf('SKU-00005')}/modifiers`, {
    type: 'product_list',
    required: false,
    display_name: 'Goes with',
    config: { product_list_adjusts_inventory: true, product_list_shipping_calc: 'weight' },
    // One product that is copied before the one that names it, and one that is copied after.
    option_values: ['SKU-00001', 'SKU-00011'].map((sku, at) => ({
      label: `Set with ${sku}`,
      sort_order: at,
      value_data: { product_id: idOf(sku) },
    })),
  })
}

const deliveryDate = {
  type: 'date',
  required: false,
  display_name: 'Deliver on',
  config: {
    default_value: '',
    date_limited: true,
    date_limit_mode: 'range',
    date_earliest_value: '2026-01-01T00:00:00+00:00',
    date_latest_value: '2028-12-31T00:00:00+00:00',
  },
}

const warranty = {
  type: 'dropdown',
  required: true,
  display_name: 'Warranty',
  option_values: [
    { label: '1 year', is_default: true, sort_order: 2 },
    {
      label: '3 years',
      sort_order: 1,
      adjusters: {
        price: { adjuster: 'percentage', adjuster_value: 7.5 },
        weight: { adjuster: 'relative', adjuster_value: 0.05 },
        purchasing_disabled: { status: true, message: 'Ask us' },
      },
    },
  ],
}

async function post(world: World, path: string, body: object): Promise<void> {
  const { url, token } = world.address('source')
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'x-auth-token': token, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`The sandbox refused POST ${path}: ${response.status} ${await response.text()}`)
}
