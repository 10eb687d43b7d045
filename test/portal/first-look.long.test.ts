import type { Browser, Locator } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { callStore } from '../engine/call-store.ts'
import { chromiumMissing, findChromium } from '../harness/chromium.ts'
import { until } from '../harness/until.ts'
import { type Person, type Portal, startPortal } from './a-portal.ts'
import { expectSound, startBrowser, type Tab } from './a-tab.ts'

describe.skipIf(!findChromium())(findChromium() ? 'the portal, as a newcomer reads it' : chromiumMissing, () => {
  let browser: Browser
  let portal: Portal
  let owner: Person
  beforeAll(async () => {
    browser = await startBrowser()
  }, 300_000)
  afterAll(() => browser?.close())
  beforeEach(async () => {
    portal = await startPortal({ entities: ['brands'], requestTimeoutSeconds: 60 }, browser)
    owner = await portal.person({ role: 'owner' })
  }, 300_000)
  afterEach(() => portal?.stop())

  const open = async ({ page }: Tab, path: string, title: string) => {
    await page.goto(`${portal.world.url}${path}`)
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
  }

  test('while a copy writes to the destination, a trial run may find what changes, and another copy waits', async () => {
    const { world } = portal
    await world.fault('source', { kind: 'hold_after_applying', method: 'GET', path: 'brands', times: 1 })
    const id = await world.migrate({ label: 'Winter copy', entities: ['brands'] })
    await until('the copy is held', async () => (await world.faults('source')).some(({ hits }) => hits > 0))
    const tab = await portal.tab(owner)
    const { page } = tab
    const [source, destination] = [world.address('source').hash, world.address('destination').hash]
    await open(tab, `/app/migrations/new?source=${source}&destination=${destination}`, 'New migration')
    const check = page.getByRole('region', { name: '4. Check' })
    await check.getByText('What the trial run finds may change: Winter copy writes to the same store').waitFor()
    await page.getByRole('group', { name: 'Try it out first, or copy at once' }).getByLabel('Copy now').check()
    await check.getByText('It waits until Winter copy has finished writing to the same store.').waitFor()
    await check.getByRole('link', { name: 'Winter copy' }).waitFor()
    await expectSound(tab, 'destination-busy')
    await world.release('source')
    await world.finished(id)
    await tab.close()
  })

  test('a forecast from before a copy is not shown after it', async () => {
    const { world } = portal
    const tab = await portal.tab(owner)
    const { page } = tab
    const [source, destination] = [world.address('source').hash, world.address('destination').hash]
    await open(tab, `/app/migrations/new?source=${source}&destination=${destination}`, 'New migration')
    await page.getByLabel('Some kinds').check()
    await page.getByLabel('Brands', { exact: true }).check()
    const brands = (await world.state('source')).brands?.length
    const would = page.getByRole('list', { name: 'What a copy would do, estimated' })
    await would.getByText(`${brands} new`, { exact: true }).waitFor()
    await world.complete({ entities: ['brands'] })
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Migrations' }).click()
    await page.getByRole('heading', { level: 1, name: 'Migrations' }).waitFor()
    await page.getByRole('link', { name: 'New migration' }).click()
    await page.getByRole('heading', { level: 1, name: 'New migration' }).waitFor()
    await would.getByText('0 new', { exact: true }).waitFor()
    await tab.close()
  })

  test('pages of settings have the names of the control panel, in pairs and in what was changed', async () => {
    const { world } = portal
    await callStore(world, 'source', 'PUT', '/v3/settings/storefront/seo', { page_title: 'Lamps of oak' })
    const { requestId } = await world.complete({
      label: 'Settings copy',
      entities: ['store-settings', 'customer-settings'],
      conflictStrategy: 'update',
    })
    const tab = await portal.tab(owner)
    const { page } = tab
    for (const [list, least] of [
      ['pairs', 15],
      ['changes?show=changed', 1],
    ] as const) {
      await open(tab, `/app/migrations/${requestId}/${list}`, 'Settings copy')
      await page.locator('td.title').getByText('SEO settings', { exact: true }).waitFor()
      const names = await page.locator('td.title > bdi').allInnerTexts()
      expect(names.length).toBeGreaterThanOrEqual(least)
      // A name of the API is a path in small letters.
      expect(names.filter((name) => /^[a-z]/.test(name))).toEqual([])
    }
    await tab.close()
  })

  test('what a comparison finds to review are differences, not issues, and what to do about them is said', async () => {
    const { world } = portal
    const { requestId } = await world.complete({ label: 'Checked copy' })
    const [brand] = (await world.state('destination')).brands ?? []
    await callStore(world, 'destination', 'DELETE', `/v3/catalog/brands/${brand?.id}`)
    const { detail } = await world.verify(requestId)
    const tab = await portal.tab(owner)
    const { page } = tab
    await open(tab, `/app/migrations/${detail.requestId}`, 'Comparison: Checked copy')
    const parts = page.getByRole('navigation', { name: 'Parts of the migration' })
    await parts.getByRole('link', { name: 'Issues', exact: true }).waitFor()
    await parts.getByRole('link', { name: 'Differences 1', exact: true }).waitFor()
    await page
      .getByText('In the comparison, copy what differs one item at a time, and accept what is right as it is')
      .waitFor()
    await page.getByRole('list', { name: 'Items' }).getByRole('link', { name: 'needs review' }).click()
    await page.waitForURL(`**/${detail.requestId}/differences?own=without`)
    await page.getByRole('link', { name: `Copy this item: ${brand?.name}` }).click()
    await page.getByText('The choices are those of a copy of one item that differs.').waitFor()
    expect(await page.getByLabel('Name (optional)').inputValue()).toBe(`Only ${brand?.name}`)
    await open(tab, `/app/migrations/${requestId}/report`, 'Report: Checked copy')
    await page.getByRole('button', { name: 'Record sign-off' }).click()
    await page
      .getByRole('dialog')
      .getByText(/1 is missing/)
      .waitFor()
    await expectSound(tab, 'sign-off-of-differences')
    await tab.close()
  })

  test('of what stays behind, the check, the list, the drawer and the report say what it means and what to do', async () => {
    const { world } = portal
    const { products: [product] = [] } = await world.state('source')
    await world.change('source', { op: 'set', table: 'products', id: Number(product?.id), fields: { type: 'digital' } })
    const said = {
      'The files of 1 digital product are not copied': 'Upload each file to its product in the control panel',
      'use files of the source store in their descriptions': 'Copy both folders to the destination by WebDAV.',
    }
    const tab = await portal.tab(owner)
    const { page } = tab
    const expectSaid = async (lines: Locator) => {
      for (const [message, remedy] of Object.entries(said))
        expect(await lines.filter({ hasText: message }).filter({ hasText: remedy }).count(), message).toBe(1)
    }
    const [source, destination] = [world.address('source').hash, world.address('destination').hash]
    await open(tab, `/app/migrations/new?source=${source}&destination=${destination}`, 'New migration')
    const check = page.getByRole('region', { name: '4. Check' })
    await check.getByText(Object.values(said)[0] ?? '').waitFor()
    await expectSaid(check.getByRole('listitem'))
    const { requestId } = await world.complete({ label: 'Shelf copy', entities: ['products'] })
    await open(tab, `/app/migrations/${requestId}/issues?show=known`, 'Shelf copy')
    const cause = page.getByRole('region', { name: /^Not copied, and what to do instead/ })
    if ((await cause.getByRole('article').count()) === 0) await cause.getByText('Items').click()
    await cause.getByRole('article').first().waitFor()
    await expectSaid(cause.getByRole('article'))
    await cause.getByRole('article').filter({ hasText: 'WebDAV' }).getByRole('link').click()
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('heading', { name: 'What to do' }).waitFor()
    expect(await drawer.getByText('Copy both folders to the destination by WebDAV.').count()).toBe(1)
    await open(tab, `/app/migrations/${requestId}/report`, 'Report: Shelf copy')
    const left = page.getByRole('region', { name: 'Not copied, and what to do instead' })
    await left.getByRole('listitem').first().waitFor()
    await expectSaid(left.getByRole('listitem'))
    await tab.close()
  })

  test('a list of differences that is open while the stores are compared has no verdict, and all of them at the end', async () => {
    const { world } = portal
    const { requestId } = await world.complete({ label: 'Watched copy' })
    const [brand] = (await world.state('destination')).brands ?? []
    await callStore(world, 'destination', 'DELETE', `/v3/catalog/brands/${brand?.id}`)
    await world.fault('destination', { kind: 'hold_after_applying', method: 'GET', path: 'brands', times: 1 })
    const begun = await world.api<{ requestId: string }>('POST', `/v2/migrations/${requestId}/verify`)
    await until('it is held', async () => (await world.faults('destination')).some(({ hits }) => hits > 0))
    const tab = await portal.tab(owner)
    const { page } = tab
    const path = `/app/migrations/${begun.body.requestId}/differences?own=without`
    await open(tab, path, 'Comparison: Watched copy')
    await page.getByText('Nothing so far').waitFor()
    await page.getByText('Values your shop changes itself are left out of this list.').waitFor()
    expect(await page.getByText(/are equal/).count()).toBe(0)
    await world.release('destination')
    await world.finished(begun.body.requestId)
    await page.getByText(/1 is missing\b/).waitFor()
    await page
      .getByRole('row')
      .filter({ hasText: String(brand?.name) })
      .getByText('Missing')
      .waitFor()
    await tab.close()
  })

  test('a copy that is done offers to compare, and its comparison shows what differs and how to repair a whole kind', async () => {
    const { world } = portal
    const { requestId } = await world.complete({ label: 'Coupon copy', entities: ['coupons'] })
    const tab = await portal.tab(owner)
    const { page } = tab
    await open(tab, `/app/migrations/${requestId}`, 'Coupon copy')
    await page.getByText('Not compared yet. Compare, above,').waitFor()
    const [coupon] = (await world.state('destination')).coupons ?? []
    await world.change('destination', { op: 'remove', table: 'coupons', id: Number(coupon?.id) })
    const { detail } = await world.verify(requestId)
    await open(tab, `/app/migrations/${detail.requestId}`, 'Comparison: Coupon copy')
    await page.getByText('run the copy again with “Add and update”').waitFor()
    await page
      .getByRole('region', { name: 'Is the copy right?' })
      .getByRole('link', { name: 'Show what differs' })
      .click()
    const row = page.getByRole('row').filter({ hasText: 'Missing' }).first()
    await row.getByText('To repair it, copy all of Coupons, with “Add what is missing”.').waitFor()
    await row.getByRole('button', { name: /^Compare again/ }).waitFor()
    await tab.close()
  })

  test('a copy that was to copy the widgets on all pages, and copied none, says so and why', async () => {
    const { world } = portal
    const { requestId } = await world.complete({ label: 'Widget copy' })
    const tab = await portal.tab(owner)
    const { page } = tab
    let conflictStrategy = 'skip'
    await page.route(`**/v2/migrations/${requestId}`, async (route) => {
      const response = await route.fetch()
      const pageTemplates = { picked: ['pages/home'], globalsRequested: true, globalContextsPublished: 0 }
      await route.fulfill({ response, json: { ...(await response.json()), pageTemplates, conflictStrategy } })
    })
    await open(tab, `/app/migrations/${requestId}`, 'Widget copy')
    const said = page.getByText('None of the widgets on all pages was copied.')
    await said.filter({ hasText: 'The destination has its own, which “Add what is missing” leaves alone' }).waitFor()
    conflictStrategy = 'update'
    await page.reload()
    await said.filter({ hasText: 'The source has none any more' }).waitFor()
    await expectSound(tab, 'no-widgets')
    await tab.close()
  })

  test('on a phone, numbers stand side by side, above their names', async () => {
    const { requestId } = await portal.world.complete({ label: 'Counted copy' })
    const tab = await portal.tab(owner)
    const { page } = tab
    await page.setViewportSize({ width: 360, height: 800 })
    await open(tab, `/app/migrations/${requestId}`, 'Counted copy')
    const tops = async (selector: string) => {
      const boxes = await page.locator(selector).evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
      return [boxes.length, new Set(boxes).size]
    }
    expect(await tops('.counters > li')).toEqual([6, 2])
    await page.locator('.step > summary').first().click()
    const [numbers = 0, rows = 0] = await tops('.step[open] tbody tr:first-child > td.right:not(:has(.zero))')
    expect(numbers).toBeGreaterThan(1)
    expect(rows).toBe(Math.ceil(numbers / 3))
    await tab.close()
  })
})
