import { describe, expect, test } from 'vitest'
import { chromiumMissing, findChromium } from '../harness/chromium.ts'
import { password, withPortal } from './a-portal.ts'
import type { Tab } from './a-tab.ts'
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

  async function heading({ page }: Tab, name: string): Promise<void> {
    await page.getByRole('heading', { level: 1, name }).waitFor()
  }
})
