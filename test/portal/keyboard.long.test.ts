import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { chromiumMissing, findChromium } from '../harness/chromium.ts'
import { anOrganizationWithoutAccess, password, withPortal } from './a-portal.ts'
import { expectSound, type Tab } from './a-tab.ts'
import { tabTo } from './keyboard.ts'

describe.skipIf(!findChromium())(findChromium() ? 'the portal by keyboard alone' : chromiumMissing, () => {
  const portal = withPortal()

  test('a newcomer signs in, connects two stores, tries a copy out, copies for real and compares, and always sees the focus', async () => {
    const { world } = portal
    const { organisationId } = await world.anotherOrganisation('Newcomers', [])
    const person = await portal.person({ role: 'owner', organizationId: organisationId, withPassword: true })
    const tab = await portal.tab()
    const { page } = tab
    const { keyboard } = page
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const link = (name: string) => page.getByRole('link', { name, exact: true }).first()
    const field = (name: string) => page.getByLabel(name, { exact: true })
    const press = async (target: ReturnType<typeof button>, key = 'Enter') => {
      await tabTo(page, target)
      await keyboard.press(key)
    }
    const type = async (name: string, text: string) => {
      await tabTo(page, field(name))
      await keyboard.type(text)
    }

    await page.goto(`${world.url}/app`)
    await tabTo(page, page.getByLabel(/e-?mail/i))
    await keyboard.type(person.email)
    await type('Password', password)
    await keyboard.press('Enter')
    await heading(tab, 'Home')
    await press(link('Connect a store'))
    await heading(tab, 'Connect a store')
    for (const [side, name] of [
      ['source', 'Old shop'],
      ['destination', 'New shop'],
    ] as const) {
      await type('API path or store hash', world.address(side).hash)
      await type('Access token', world.address(side).token)
      await keyboard.press('Enter')
      await type('Name in Storeferry', name)
      await press(button('Save the name'))
      await page.getByText(`Saved as ${name}.`).waitFor()
      if (side === 'source') await press(button('Connect another store'))
    }
    await press(link('New migration'))
    await heading(tab, 'New migration')
    await type('Copy from', 'Old')
    await type('Copy to', 'New')
    await tabTo(page, page.getByRole('radio', { name: /^Everything/ }))
    await keyboard.press('ArrowDown')
    await press(field('Brands'), 'Space')
    await page.getByText('Nothing stands in the way.').waitFor()
    await press(button('Start trial run'))
    await page.getByText('Done', { exact: true }).first().waitFor()
    await press(link('What it would do'))
    await page.getByRole('row').nth(1).waitFor()
    await press(link('Now copy for real'))
    await heading(tab, 'New migration')
    await page.getByText('Nothing stands in the way.').waitFor()
    await press(button('Start copying'))
    await page.getByText('Done', { exact: true }).first().waitFor()

    await press(button('Compare'))
    const question = page.getByRole('dialog', { name: 'Compare the two stores?' })
    await question.waitFor()
    await keyboard.press('Escape')
    await question.waitFor({ state: 'hidden' })
    expect(await button('Compare').evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true)
    await keyboard.press('Enter')
    await question.waitFor()
    // Faster than the browser reports that the dialog is closed.
    await Promise.all([keyboard.press('Escape'), keyboard.press('Enter')])
    await press(question.getByRole('button', { name: 'Compare' }))
    await page
      .getByText(/^Compared /)
      .first()
      .waitFor()
    expect(tab.complaints).toEqual([])
    await tab.close()
  }, 120_000)
})

// A store of its own, to which nothing was copied yet.
describe.skipIf(!findChromium())(findChromium() ? 'the keys of the portal' : chromiumMissing, () => {
  const portal = withPortal({ entities: ['brands'] })

  test('on a phone with a keyboard, the bars above and below cover nothing that has the focus, forward and back', async () => {
    const { world } = portal
    const tab = await portal.tab(await portal.person({ role: 'owner' }))
    const { page } = tab
    await page.setViewportSize({ width: 360, height: 640 })
    const [source, destination] = [world.address('source').hash, world.address('destination').hash]
    await page.goto(`${world.url}/app/migrations/new?source=${source}&destination=${destination}`)
    await heading(tab, 'New migration')
    await page.getByText('Nothing stands in the way.').waitFor()
    await page.getByText('More settings').click()
    await page.getByLabel('Copy from').focus()
    await tabTo(page, page.getByRole('button', { name: 'Start trial run' }))
    await tabTo(page, page.getByLabel('Copy from'), 'Shift+Tab')
    expect(tab.complaints).toEqual([])
    await tab.close()
  }, 120_000)

  test('on a phone, the window of an issue has its Close always in sight, and it covers nothing that has the focus', async () => {
    const { world } = portal
    const fault = { kind: 'error_before_applying', status: 422, method: 'POST', path: 'brands', times: null } as const
    await world.fault('destination', fault)
    const { requestId: id } = await world.complete({ autoHeal: false, entities: ['brands'] })
    const tab = await portal.tab(await portal.person({ role: 'owner' }))
    const { page } = tab
    await page.setViewportSize({ width: 360, height: 560 })
    await page.goto(`${world.url}/app/migrations/${id}/issues`)
    await page.getByRole('article').getByRole('link').first().click()
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('heading', { name: 'History' }).waitFor()
    const close = drawer.getByRole('button', { name: 'Close' })
    const { y = 0, height = 0 } = (await close.boundingBox()) ?? {}
    expect(y + height).toBeLessThanOrEqual(560)
    await tabTo(page, close)
    await tabTo(page, drawer.getByRole('link').first(), 'Shift+Tab')
    await close.click()
    await drawer.waitFor({ state: 'hidden' })
    expect(tab.complaints).toEqual([])
    await tab.close()
  }, 120_000)

  test('a secret that is shown once covers nothing that has the focus, on a phone or a desktop', async () => {
    const { world } = portal
    const tab = await portal.tab(await portal.person({ role: 'owner', administrator: true }))
    const { page } = tab
    for (const size of [
      { width: 360, height: 640 },
      { width: 360, height: 900 },
      { width: 1440, height: 900 },
    ]) {
      await page.setViewportSize(size)
      // Enough organizations to scroll.
      for (let more = 0; more < 3; more += 1) await anOrganizationWithoutAccess(world)
      await sql`update organisations set store_migration_enabled = true`.execute(world.database)
      await page.goto(`${world.url}/admin/migrations/access`)
      await page
        .getByRole('button', { name: /^Issue credential/ })
        .first()
        .click()
      await page.getByRole('button', { name: 'I stored it' }).waitFor()
      await tabTo(page, page.getByRole('button', { name: /^Remove access/ }).last())
      await tabTo(page, page.getByRole('searchbox', { name: 'Search by name' }), 'Shift+Tab')
      await page.getByRole('button', { name: 'I stored it' }).click()
    }
    expect(tab.complaints).toEqual([])
    await tab.close()
  }, 120_000)

  test('keys lead to the screens and to the search, move between issues, are listed, and can be switched off', async () => {
    const { world } = portal
    const fault = { kind: 'error_before_applying', status: 422, method: 'POST', path: 'brands', times: null } as const
    await world.fault('destination', fault)
    const { requestId: id } = await world.complete({ label: 'Spring copy', autoHeal: false, entities: ['brands'] })
    const tab = await portal.tab(await portal.person({ role: 'owner' }))
    const { page } = tab
    const { keyboard } = page
    const press = async (...keys: string[]) => {
      for (const key of keys) await keyboard.press(key)
    }
    await page.goto(`${world.url}/app/profile`)
    await heading(tab, 'Profile')
    await press('g', 's')
    await heading(tab, 'Stores')
    await press('g', 'm')
    await heading(tab, 'Migrations')
    await press('/')
    await page.locator('input[type=search]:focus').waitFor()
    await press('g', 'h')
    await page.getByText('No migration matches').waitFor()
    await tabTo(page, page.getByRole('link', { name: 'Clear filters' }))
    await press('Enter')
    await press('g', 'h')
    await heading(tab, 'Home')

    await page.goto(`${world.url}/app/migrations/${id}/issues`)
    const issues = page.getByRole('article').getByRole('link')
    await issues.first().waitFor()
    const [first = '', second = ''] = await issues.allInnerTexts()
    const drawer = (name: string) => page.getByRole('dialog', { name, exact: true })
    await press('j', 'Enter')
    await drawer(first).waitFor()
    await press('j')
    await drawer(second).waitFor()
    await press('a')
    await page.getByRole('dialog', { name: `Accept ${second} as it is?` }).waitFor()
    // Keys are not for what is below a question.
    await press('j')
    await page.getByRole('button', { name: 'Not now' }).click()
    await drawer(second).waitFor()
    await press('k')
    await drawer(first).waitFor()
    await press('Escape')
    await drawer(first).waitFor({ state: 'hidden' })
    await page.waitForURL((url) => !url.searchParams.has('issue'))

    await press('?')
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await list.getByText('Next and previous issue').waitFor()
    await expectSound(tab, 'keys')
    await page.setViewportSize({ width: 1440, height: 900 })
    await list.getByLabel('Use them in this browser').uncheck()
    await press('Escape')
    await list.waitFor({ state: 'hidden' })
    await press('g', 'h', '?')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await heading(tab, 'Spring copy')
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
    await list.getByLabel('Use them in this browser').check()
    expect(tab.complaints).toEqual([])
    await tab.close()
  }, 120_000)
})

async function heading({ page }: Tab, name: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name }).waitFor()
}
