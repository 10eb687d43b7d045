import { expect, test } from 'vitest'
import { until } from '../harness/until.ts'
import { aWorld } from '../harness/world.ts'

test('F6: everything specific to a storefront without a counterpart is reported as not copied', async () => {
  const world = await aWorld({ seeds: { source: 'tiny-two-storefronts' } })
  const run = await world.complete()
  const leftOut = (await world.findings(run.requestId)).filter(({ message }) =>
    message.includes('its channel has no counterpart at the destination'),
  )
  expect(leftOut.map(({ code, component, item }) => `${code} ${component} ${item.name}`).sort()).toEqual([
    'not_copied channel-contacts Channel contact 1809/store/profile',
    'not_copied channel-currencies Channel 1809',
    'not_copied channel-customer-settings customers',
    'not_copied channel-settings storefront/category',
    'not_copied channel-settings storefront/product',
    'not_copied channel-settings storefront/seo',
    'not_copied global-widgets all pages',
    'not_copied page-widgets pages/home',
    'not_copied theme-activations Cornerstone (Light)',
    'not_copied theme-templates brand/custom-brand-1.html',
    'not_copied theme-templates category/custom-category-1.html',
    'not_copied theme-templates category/landing.html',
    'not_copied theme-templates page/custom-page-1.html',
    'not_copied theme-templates product/custom-product-1.html',
    'not_copied widget-templates Countdown',
  ])
})

test('F6: a run whose process was killed reports its findings once, and copies pictures the way it began', async () => {
  const world = await aWorld({ catalogueOnly: true, entities: ['products'], latencyMs: 50, processes: true })
  const id = await world.migrate()
  await until('the findings are reported', async () => (await world.findings(id)).length > 0)
  await world.killChild()
  // If it were decided again now, the other half of the pictures would be reduced.
  await world.fault('source', { kind: 'image_unfetchable', path: '__\\d+\\.png$', times: 10 })
  await world.finished(id)
  const reduced = (await world.issues(id)).filter(({ code }) => code === 'picture_reduced')
  expect(reduced).toEqual([])
  expect((await world.findings(id)).map(({ code, attempts }) => [code, attempts])).toEqual([['not_copied', 1]])
})
