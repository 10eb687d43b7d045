import type { Page, Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { chromiumMissing, findChromium } from '../harness/chromium.ts'
import { withComparedCopy } from './a-portal.ts'
import { askingAddresses } from './addresses.ts'

/** All that a screen asks, but not who is asking: without an answer to that there is no screen. */
const asks = /\/(v2|admin\/api)\/(?!session$)/

describe.skipIf(!findChromium())(findChromium() ? 'failing answers, in a browser' : chromiumMissing, () => {
  const shared = withComparedCopy()

  function filled(address: string): string {
    const { organisationId, address: storeOf } = shared.portal.world
    if (address.startsWith('/admin/organizations/$')) return address.replace(/\$\w+/, organisationId)
    if (address.startsWith('/app/stores/$'))
      return address.replace(/\$\w+/, storeOf('source').hash).replace(/\$\w+/, 'brands')
    return address.replace(/\$\w+/, address.endsWith('/differences') ? shared.comparison : shared.copy)
  }

  test.each([
    ['500', 'Something broke on our side', answered(500, 'internal_error')],
    ['no connection', 'No connection', (route: Route) => route.abort('connectionfailed')],
  ] as const)(
    'every screen that met %s says so, and shows itself after Try again',
    async (_, title, fail) => {
      const tab = await shared.portal.tab(shared.person, /500|ERR_/)
      const { page } = tab
      const faults: Record<string, string> = {}
      for (const address of (await askingAddresses()).map(filled)) {
        await page.route(asks, fail)
        await page.goto(`${shared.portal.world.url}${address}`)
        await page.getByRole('heading', { level: 1, name: title }).waitFor()
        if ((await messageOf(page)).length === 0) faults[address] = 'says nothing'
        await page.unroute(asks)
        await page.getByRole('button', { name: 'Try again' }).click()
        await page
          .getByRole('heading', { level: 1, name: title })
          .waitFor({ state: 'detached', timeout: 15_000 })
          .catch(() => {
            faults[address] = 'does not recover'
          })
      }
      expect(faults).toEqual({})
      expect(tab.complaints).toEqual([])
      await tab.close()
    },
    600_000,
  )

  test.each([
    [403, 'forbidden', 'Not allowed'],
    [404, 'not_found', 'Not found'],
  ] as const)(
    'every screen that was answered %i %s says so, and leads Home',
    async (status, code, title) => {
      const tab = await shared.portal.tab(shared.person, new RegExp(String(status)))
      const { page } = tab
      await page.route(asks, answered(status, code))
      for (const address of (await askingAddresses()).map(filled)) {
        await page.goto(`${shared.portal.world.url}${address}`)
        await page.getByRole('heading', { level: 1, name: title }).waitFor()
        expect(await messageOf(page), address).not.toBe('')
        await page.getByRole('link', { name: 'Go to Home' }).waitFor()
      }
      expect(tab.complaints).toEqual([])
      await tab.close()
    },
    600_000,
  )

  test('Home shows a deletion that waits also where how much it is could not be loaded', async () => {
    const { world } = shared.portal
    const [brand] = (await world.state('destination')).brands ?? []
    const { id: only } = await world.change('destination', { op: 'double', table: 'brands', id: Number(brand?.id) })
    await world.change('destination', { op: 'set', table: 'brands', id: Number(only), fields: { name: 'Only here' } })
    const limits = { pruneLimitPercent: 0, pruneLimitItems: 0 }
    const id = await world.migrate({ label: 'Asks first', conflictStrategy: 'replace', ...limits })
    await world.finished(id, { status: 'paused', seconds: 20 })
    const tab = await shared.portal.tab(shared.person, /500/)
    const { page } = tab
    const asked = new RegExp(`/v2/migrations/${id}/request`)
    await page.route(asked, answered(500, 'internal_error'))
    await page.goto(`${world.url}/app`)
    const waits = page.getByRole('region', { name: 'A deletion waits' })
    await waits.getByText(/Asks first is paused before deleting items from/).waitFor()
    await page.unroute(asked)
    await page.reload()
    await waits.getByText(/Asks first is paused before deleting 1 item from/).waitFor()
    expect(tab.complaints).toEqual([])
    await tab.close()
  }, 120_000)

  test('a question that is being sent is not closed by Escape, so that a refusal that comes later is read', async () => {
    const tab = await shared.portal.tab(shared.person, /500/)
    const { page } = tab
    const questions: [address: string, button: string, confirm: string, asked: RegExp, off: string][] = [
      [`/app/migrations/${shared.copy}`, 'Compare', 'Compare', /verify$/, 'Not now'],
      ['/app/members', 'Invite a member', 'Invite', /members/, 'Cancel'],
    ]
    for (const [address, button, confirm, asked, off] of questions) {
      await page.goto(`${shared.portal.world.url}${address}`)
      await page.getByRole('button', { name: button }).click()
      const dialog = page.getByRole('dialog')
      const sent = Promise.withResolvers<Route>()
      await page.route(asked, (route) => (route.request().method() === 'POST' ? sent.resolve(route) : route.continue()))
      await dialog.getByRole('button', { name: confirm }).click()
      const route = await sent.promise
      // The browser lets a page refuse only the first.
      for (const key of ['Escape', 'Escape']) await page.keyboard.press(key)
      await dialog.getByRole('button', { name: off }).click({ force: true })
      await answered(500, 'internal_error')(route)
      await dialog.getByText('Something broke on our side.').waitFor()
      expect(await dialog.evaluate((element) => element.matches(':modal'))).toBe(true)
      await page.unroute(asked)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      expect(await page.evaluate('document.activeElement.innerText')).toBe(button)
    }
    expect(tab.complaints).toEqual([])
    await tab.close()
  }, 120_000)

  test('an item of a store that cannot be read says so above the list, which stays', async () => {
    const { world } = shared.portal
    const tab = await shared.portal.tab(shared.person, /502/)
    const { page } = tab
    await page.goto(`${world.url}/app/stores/${world.address('source').hash}/browse/brands`)
    const item = page.getByRole('table', { name: 'Brands' }).getByRole('link').first()
    const asked = /catalog\/brands\/\d/
    await page.route(asked, answered(502, 'platform_error'))
    await item.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('It did not work.').waitFor()
    await page.unroute(asked)
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await dialog.getByText('name', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await dialog.waitFor({ state: 'detached' })
    await item.waitFor()
    expect(tab.complaints).toEqual([])
    await tab.close()
  }, 120_000)

  test('a part of a screen that cannot be loaded says so beside the others, and is there after Try again', async () => {
    const tab = await shared.portal.tab(shared.person, /500/)
    const { page } = tab
    const parts: [address: string, asked: RegExp, panel: string, shown: RegExp][] = [
      [
        `/app/migrations/${shared.copy}/report`,
        /issues\?.*dismissed/,
        'Accepted as it is',
        /Nothing was accepted as it is/,
      ],
      [
        `/app/migrations/${shared.copy}/report`,
        /deletions\/summary/,
        'Deleted from the destination',
        /Nothing was deleted/,
      ],
      [`/app/stores/${shared.portal.world.address('source').hash}`, /\/v2\/counts/, 'What it holds', /Brands: \d/],
    ]
    for (const [address, asked, panel, shown] of parts) {
      await page.route(asked, answered(500, 'internal_error'))
      await page.goto(`${shared.portal.world.url}${address}`)
      const part = page.getByRole('region', { name: panel, exact: true })
      await part.getByText('Something broke on our side.').waitFor()
      await page.unroute(asked)
      await part.getByRole('button', { name: 'Try again' }).click()
      await part.getByText(shown).waitFor()
    }
    expect(tab.complaints).toEqual([])
    await tab.close()
  }, 120_000)
})

function answered(status: number, error: string) {
  const body = JSON.stringify({ error, message: 'It did not work.' })
  return (route: Route) => route.fulfill({ status, contentType: 'application/json', body })
}

/** What stands below the title. */
function messageOf(page: Page): Promise<string> {
  return page.locator('.notice').first().innerText()
}
