import { expect, test } from 'vitest'
import { allSteps } from './all-steps.ts'
import { type ReadyCall, unknownId } from './call.ts'
import { confine, OutsideWriteError, OwnItems } from './guard.ts'

const own = new OwnItems()
own.add('brands', 7)
own.add('products', 7)
own.add('variants', 70)
own.add('customers', 7)
own.add('promotions', 7)
own.add('widgets', '7aa')

function call(method: ReadyCall['method'], path: string, body?: unknown, query: Record<string, string> = {}) {
  return () => confine({ method, path, query, body, form: undefined }, own)
}

const named = { name: 'sfprobe-x' }

test.each([
  ['a new item with the prefix', call('POST', '/v3/catalog/brands', named)],
  ['several', call('POST', '/v3/customers', [{ email: 'sfprobe-a@example.com' }, { email: 'sfprobe-b@example.com' }])],
  ['a list without rows', call('POST', '/v3/customers', [])],
  ['a change of its own item', call('PUT', '/v3/catalog/brands/7', { page_title: 'Title' })],
  ['a change of a row of its own', call('PUT', '/v3/customers', [{ id: 7, notes: 'Notes' }])],
  ['what belongs to its own item', call('PUT', '/v3/catalog/products/7/images/3', { sort_order: 1 })],
  ['an id that no store gives', call('PUT', '/v3/customers', [{ id: unknownId, notes: 'Notes' }])],
  [
    'an assignment of its own item',
    call('PUT', '/v3/catalog/products/channel-assignments', [{ product_id: 7, channel_id: 1 }]),
  ],
  [
    'an order of its own product',
    call('POST', '/v2/orders', { staff_notes: 'sfprobe-x', products: [{ product_id: 7 }] }),
  ],
  [
    'stock of its own',
    call('PUT', '/v3/inventory/adjustments/absolute', { items: [{ variant_id: 70, location_id: 1 }] }),
  ],
  [
    'the widgets of its own product',
    call('POST', '/v3/content/page-widgets', { template_file: 'pages/product', entity_id: 7 }),
  ],
  ['a deletion of its own item', call('DELETE', '/v3/catalog/brands/7')],
  ['a deletion of several', call('DELETE', '/v3/customers', undefined, { 'id:in': '7' })],
  ['codes of its own promotion', call('DELETE', '/v3/promotions/7/codes', undefined, { 'id:in': '1,2' })],
  ['any read', call('GET', '/v2/orders')],
])('%s passes', (_what, confined) => {
  expect(confined).not.toThrow()
})

test.each([
  ['a new item without the prefix', call('POST', '/v3/catalog/brands', { name: 'Acme' })],
  [
    'one row of several without it',
    call('POST', '/v3/customers', [{ email: 'sfprobe-a@example.com' }, { email: 'a@example.com' }]),
  ],
  ['a change of another item, whatever its new name', call('PUT', '/v3/catalog/brands/8', named)],
  ['a row of another item, whatever its new name', call('PUT', '/v3/customers', [{ id: 8, notes: 'sfprobe-x' }])],
  ['an id of another kind', call('DELETE', '/v2/coupons/7')],
  [
    'what belongs to another item',
    call('POST', '/v3/catalog/products/8/images', { image_url: 'https://example.com/sfprobe-x' }),
  ],
  [
    'an order of another product',
    call('POST', '/v2/orders', { staff_notes: 'sfprobe-x', products: [{ product_id: 8 }] }),
  ],
  [
    'stock of others',
    call('PUT', '/v3/inventory/adjustments/absolute', { reason: 'sfprobe-x', items: [{ variant_id: 71 }] }),
  ],
  [
    'a metafield of another item',
    call('POST', '/v3/catalog/brands/metafields', [{ resource_id: 8, namespace: 'sfprobe-x' }]),
  ],
  [
    'widgets of the home page',
    call('POST', '/v3/content/page-widgets', { template_file: 'pages/home', regions: [named] }),
  ],
  [
    'a placement of another widget',
    call('POST', '/v3/content/placements', { widget_uuid: '8aa', region: 'sfprobe-x' }),
  ],
  ['settings', call('PUT', '/v3/settings/store/profile', { store_name: 'sfprobe-x' })],
  ['settings of customers', call('PUT', '/v3/customers/settings', { privacy_settings: named })],
  ['settings of promotions', call('PUT', '/v3/promotions/settings', named)],
  ['a channel', call('POST', '/v3/channels', named)],
  ['a theme', call('POST', '/v3/themes/actions/activate', { variation_id: 'sfprobe-x' })],
  ['a deletion of all', call('DELETE', '/v2/coupons')],
  ['a deletion by another filter', call('DELETE', '/v3/catalog/brands', undefined, { name: 'sfprobe-x' })],
  ['a deletion of another one among its own', call('DELETE', '/v3/customers', undefined, { 'id:in': '7,8' })],
  [
    'a deletion that names one and filters by more',
    call('DELETE', '/v3/customers', undefined, { 'id:in': '7', name: 'x' }),
  ],
  ['an empty filter', call('DELETE', '/v3/customers', undefined, { 'id:in': '' })],
])('%s is refused', (_what, confined) => {
  expect(confined).toThrow(OutsideWriteError)
})

test('the names of behaviours are unique', () => {
  const keys = allSteps.map(({ key }) => key)
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([])
})
