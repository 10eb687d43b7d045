import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Locator, Route } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { insertWebhook } from '../../src/db/notifications/webhooks.ts'
import { addIssue } from '../api/migration-rows.ts'
import { chromiumMissing, findChromium } from '../harness/chromium.ts'
import { until } from '../harness/until.ts'
import { withComparedCopy } from './a-portal.ts'
import type { Tab } from './a-tab.ts'

describe.skipIf(!findChromium())(findChromium() ? 'filters of every list' : chromiumMissing, () => {
  const shared = withComparedCopy()
  // Something to choose in the filters of messages and of issues.
  beforeAll(async () => {
    const { database, organisationId } = shared.portal.world
    await addIssue(database, { id: shared.copy, organisationId }, { sourceId: '1' })
    const webhook = { id: randomUUID(), organisationId, url: 'https://hooks.example/', description: '', events: null }
    await database.transaction().execute((tx) => insertWebhook(tx, { ...webhook, createdAt: new Date() }))
  })

  const lists: [list: string, address: () => string, controls: number][] = [
    ['migrations', () => '/app/migrations', 7],
    ['issues', () => `/app/migrations/${shared.copy}/issues`, 3],
    ['differences', () => `/app/migrations/${shared.comparison}/differences`, 4],
    ['new items', () => `/app/migrations/${shared.copy}/changes`, 2],
    ['changed items', () => `/app/migrations/${shared.copy}/changes?show=changed`, 2],
    ['deletions', () => `/app/migrations/${shared.copy}/changes?show=deleted`, 2],
    ['item pairs', () => `/app/migrations/${shared.copy}/pairs`, 3],
    ['messages', () => '/app/notifications', 2],
    ['audit', () => '/app/audit', 4],
    ['items of a store', () => `/app/stores/${shared.portal.world.address('source').hash}/browse/brands`, 1],
    ['migrations of all organizations', () => '/admin/migrations', 5],
    ['organizations with access', () => '/admin/migrations/access', 1],
    ['organizations', () => '/admin/organizations', 1],
    ['audit of all organizations', () => '/admin/audit', 3],
  ]

  test.each(lists)(
    '%s: a filter keeps the focus while its list is loaded, and afterwards',
    async (_, address, count) => {
      const tab = await shared.portal.tab(shared.person)
      await tab.page.clock.install()
      for (let each = 0; each < count; each++) {
        await tab.page.goto(`${shared.portal.world.url}${address()}`)
        const controls = tab.page.getByRole('search').locator('input, select')
        await controls.first().waitFor()
        expect(await controls.count()).toBe(count)
        await expectFocusKept(tab, controls.nth(each))
      }
      expect(tab.complaints).toEqual([])
      await tab.close()
    },
    120_000,
  )

  test.each(lists)(
    '%s: where the list of a filter cannot be loaded, the filter stays, and the list is there after Try again',
    async (_, address) => {
      const tab = await shared.portal.tab(shared.person, /500/)
      const { page } = tab
      await page.goto(`${shared.portal.world.url}${address()}`)
      const control = page.getByRole('search').locator('input, select').first()
      await control.waitFor()
      const asks = /\/(v2|admin\/api)\//
      const body = JSON.stringify({ error: 'internal_error', message: 'It did not work.' })
      await page.route(asks, (route) => route.fulfill({ status: 500, contentType: 'application/json', body }))
      const chosen = await choose(control)
      const problem = page.locator('.panel > .notice').filter({ hasText: 'Something broke on our side.' })
      await problem.waitFor()
      expect(await state(control), 'the filter').toEqual({ isFocused: true, value: chosen })
      await page.unroute(asks)
      await problem.getByRole('button', { name: 'Try again' }).click()
      await problem.waitFor({ state: 'detached' })
      expect(await page.getByRole('heading', { level: 1 }).innerText()).not.toBe('Something broke on our side')
      expect(await control.inputValue()).toBe(chosen)
      expect(tab.complaints).toEqual([])
      await tab.close()
    },
    60_000,
  )

  test.each(lists.filter(([list]) => !/^(messages|audit.*)$/.test(list)))(
    '%s: a search that finds nothing is cleared by one key, and the focus is not lost',
    async (_, address) => {
      const tab = await shared.portal.tab(shared.person)
      const { page } = tab
      await page.goto(`${shared.portal.world.url}${address()}`)
      const search = page.getByRole('search').getByRole('searchbox').last()
      await search.fill('nobody calls it so')
      const clear = page.getByRole('link', { name: 'Clear filters' })
      await clear.press('Enter')
      await clear.waitFor({ state: 'detached' })
      expect(await search.inputValue()).toBe('')
      await until('the focus is on the title', () => page.evaluate<boolean>('document.activeElement.tagName === "H1"'))
      await tab.close()
    },
    60_000,
  )

  test.each([
    ['migrations', () => '/app/migrations', 255],
    ['items of a store', () => `/app/stores/${shared.portal.world.address('source').hash}/browse/brands`, 100],
  ])('%s: a search for more than the service takes is for its beginning', async (_, address, most) => {
    const tab = await shared.portal.tab(shared.person)
    const { page } = tab
    await page.goto(`${shared.portal.world.url}${address()}`)
    await page.getByRole('searchbox').focus()
    await page.keyboard.insertText('x'.repeat(300))
    await page.getByText(/^(No migration|Nothing) matches$/).waitFor()
    expect(new URL(page.url()).searchParams.get('text')).toHaveLength(most)
    await tab.close()
  })

  test('the focus stays with the pages of a list, also where the button that was pressed is not there any more', async () => {
    await sql`insert into audit (actor, action) select 'command line', 'database.restore' from generate_series(1, 60)`.execute(
      shared.portal.world.database,
    )
    const tab = await shared.portal.tab(shared.person)
    const { page } = tab
    await page.goto(`${shared.portal.world.url}/admin/audit?action=database.restore`)
    for (const [button, next] of [
      ['Older', 'Newest'],
      ['Newest', 'Older'],
    ] as const) {
      await page.getByRole('button', { name: button }).press('Enter')
      await page.getByRole('button', { name: button }).waitFor({ state: 'detached' })
      await page.getByRole('button', { name: next }).waitFor()
      expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Pages')
    }
    await tab.close()
  })

  /** Answers are held until long after the screen would have given up waiting. */
  async function expectFocusKept({ page }: Tab, control: Locator): Promise<void> {
    const held: Route[] = []
    let isHolding = true
    const asks = /\/(v2|admin\/api)\//
    await page.route(asks, (route) => (isHolding ? void held.push(route) : route.continue()))
    const name = await control.evaluate(
      (one) => one.ariaLabel ?? one.closest('label')?.querySelector('span')?.innerText,
    )
    const chosen = await choose(control)
    await page.clock.fastForward(1_000)
    await until(`${name} asks for its list`, () => held.length > 0)
    await page.clock.fastForward(10_000)
    await painted(control)
    expect(await state(control), `${name}, while the list is loaded`).toEqual({ isFocused: true, value: chosen })
    // A list may ask for more once it is there.
    isHolding = false
    for (const route of held) await route.continue()
    for (const route of held) await (await route.request().response())?.finished()
    await page.unroute(asks)
    await painted(control)
    expect(await state(control), `${name}, once the list is loaded`).toEqual({ isFocused: true, value: chosen })
  }

  async function choose(control: Locator): Promise<string | undefined> {
    await control.focus()
    const kind = await control.getAttribute('type')
    if (kind === null) return (await control.selectOption({ index: 1 }))[0]
    const text = kind === 'date' ? '2026-01-02' : 'lamp'
    await (kind === 'date' ? control.fill(text) : control.pressSequentially(text))
    return text
  }

  async function state(control: Locator) {
    if ((await control.count()) === 0) return 'is gone'
    const isFocused = await control.evaluate((one) => one === one.ownerDocument.activeElement)
    return { isFocused, value: await control.inputValue() }
  }

  /** Whatever the page was about to show, it shows. */
  function painted(control: Locator): Promise<unknown> {
    return control.page().evaluate('new Promise((done) => requestIdleCallback(done))')
  }
})
