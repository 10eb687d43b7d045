import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { chromiumMissing, findChromium } from '../harness/chromium.ts'
import { until } from '../harness/until.ts'
import { withPortal } from './a-portal.ts'
import { expectSound } from './a-tab.ts'

describe.skipIf(!findChromium())(findChromium() ? 'the filters of issues, in a browser' : chromiumMissing, () => {
  const portal = withPortal({ entities: ['categories', 'brands'] })

  const plant = (id: string, part: string, code: string, { severity = 'failure', item = '1' } = {}) =>
    sql`
    insert into issues (organisation_id, run_id, phase, component, severity, code, message, remedy, source_id, item)
    values (${portal.world.organisationId}, ${id}, ${part}, ${part}, ${severity}, ${code}, 'It did not work.',
      'Correct it.', ${item}, '{"name": "Lamp", "sku": null, "path": null}')`.execute(portal.world.database)

  const filter = (page: Page, label: string) => page.getByRole('search').getByLabel(label)
  const choices = (page: Page, label: string) => filter(page, label).locator('option').allTextContents()
  const untilChoice = (page: Page, label: string, choice: string) =>
    until(`${label} has ${choice}`, async () => (await choices(page, label)).includes(choice), {
      seen: () => choices(page, label),
    })

  const backgroundOf = (page: Page, name: RegExp) =>
    page
      .getByRole('main')
      .getByRole('link', { name })
      .evaluate((link) => link.ownerDocument.defaultView?.getComputedStyle(link).backgroundColor)

  test('each choice says how many issues it would show, with the other filters, and keeps its place meanwhile', async () => {
    const { requestId: id } = await portal.world.complete({ label: 'Spring copy', autoHeal: false })
    await plant(id, 'brands', 'platform_refused')
    await plant(id, 'brands', 'platform_refused', { item: '2' })
    await plant(id, 'brands', 'unexpected')
    await plant(id, 'categories', 'platform_refused')
    await plant(id, 'brands', 'source_gone', { severity: 'warning' })
    const tab = await portal.tab(await portal.person({ role: 'owner' }))
    const { page } = tab
    await page.goto(`${portal.world.url}/app/migrations/${id}/issues`)
    // A single item is shown at once, although it is not of the first cause.
    const single = page.getByRole('region', { name: 'Something unexpected 1' })
    await single.getByRole('article').waitFor()
    expect(await single.getByRole('button', { name: /^Try again/ }).count()).toBe(1)
    expect(await choices(page, 'Cause')).toEqual([
      ...['All', 'BigCommerce refused the item (3)', 'Something unexpected (1)'],
    ])
    expect(await choices(page, 'Part')).toEqual(expect.arrayContaining(['All', 'Categories (1)', 'Brands (3)']))
    await expectSound(tab, 'issues-filters')
    await page.setViewportSize({ width: 1440, height: 900 })

    // Also in the colors of a person who needs few of them.
    await page.emulateMedia({ forcedColors: 'active' })
    for (const [open, other] of [
      [/^Needs review/, /^Good to know/],
      [/^Issues/, /^Overview/],
    ] as const) {
      const [marked, plain] = await Promise.all([open, other].map((name) => backgroundOf(page, name)))
      expect(marked).not.toBe(plain)
    }
    await page.emulateMedia({ forcedColors: null })

    const place = () => page.getByRole('button', { name: 'Download CSV' }).boundingBox()
    const before = await place()
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/\/issues\/summary/, async (route) => {
      await held
      await route.continue()
    })
    await filter(page, 'Cause').selectOption('Something unexpected (1)')
    await page.getByRole('region', { name: /^BigCommerce refused/ }).waitFor({ state: 'detached' })
    expect([await choices(page, 'Part'), await place()]).toEqual([
      expect.arrayContaining(['Categories (1)', 'Brands (3)']),
      before,
    ])
    release()
    await untilChoice(page, 'Part', 'Brands (1)')
    expect([await choices(page, 'Part'), await place()]).toEqual([expect.arrayContaining(['Categories (0)']), before])
    await page.getByRole('link', { name: 'Needs review 1' }).waitFor()
    await page.getByRole('link', { name: 'Good to know 0' }).waitFor()
    expect(new URL(page.url()).searchParams.get('cause')).toBe('unexpected')

    await filter(page, 'Part').selectOption('Categories (0)')
    await page.getByText('Nothing matches', { exact: true }).waitFor()
    await untilChoice(page, 'Cause', 'Something unexpected (0)')
    expect(await choices(page, 'Cause')).toContain('BigCommerce refused the item (1)')
    await filter(page, 'Cause').selectOption('All')
    await page.getByRole('region', { name: 'BigCommerce refused the item 1' }).waitFor()
    await untilChoice(page, 'Part', 'Brands (3)')

    await page.getByRole('searchbox').fill('no such item')
    await until('no cause is left', async () => (await choices(page, 'Cause')).length === 1)
    expect(await place()).toEqual(before)
    expect(tab.complaints).toEqual([])
    await tab.close()
  })
})
