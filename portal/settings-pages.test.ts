import { expect, test } from 'vitest'
import { shownName, withShownName } from './settings-pages.ts'

test.each([
  ['store-settings', 'storefront/seo', 'SEO settings'],
  ['channel-settings', 'storefront/seo', 'SEO settings of the storefront'],
  ['channel-pictures', 'logo', 'Logo of the storefront'],
  ['customer-settings', 'customers', 'Customer settings'],
  ['store-contacts', 'Store contacts store/profile', 'Store profile'],
  ['channel-contacts', 'Channel contacts 1809/inventory/notifications', 'Stock notifications of the storefront'],
  // A page that is newer than these words, and items of other parts, keep their names.
  ['store-settings', 'storefront/new', 'storefront/new'],
  ['products', 'logo', 'logo'],
  ['products', null, null],
])('of %s, %s is shown as %s', (component, name, words) => {
  expect(shownName(component, name)).toBe(words)
})

test('a sentence about a page of settings has the name that the page has', () => {
  const text = '"storefront/seo": its channel has no counterpart.'
  expect(withShownName('channel-settings', 'storefront/seo', text)).toBe(
    '"SEO settings of the storefront": its channel has no counterpart.',
  )
  expect(withShownName('brands', 'storefront/seo', text)).toBe(text)
  expect(withShownName('channel-settings', null, text)).toBe(text)
})
