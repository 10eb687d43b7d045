import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumMissing, findChromium } from '../harness/chromium.ts'
import { anOrganizationWithoutAccess, type Person, type Portal, password, startPortal } from '../portal/a-portal.ts'
import type { Tab } from '../portal/a-tab.ts'

describe.skipIf(!findChromium())(findChromium() ? 'the specification, in a browser' : chromiumMissing, () => {
  let portal: Portal
  let administrator: Person
  let adminUrl: string
  beforeAll(async () => {
    portal = await startPortal({ entities: ['brands'] })
    administrator = await portal.person({ administrator: true, withPassword: true })
    adminUrl = `${portal.world.url}/admin`
  }, 300_000)
  afterAll(() => portal?.stop())

  const headingOf = ({ page }: Tab, name: string) => page.getByRole('heading', { level: 1, name })
  const rowOf = ({ page }: Tab, name: string) => page.getByRole('row').filter({ hasText: name })

  /** The Migration Access screen, where the organization has been found and enabled. */
  async function enabled(name: string): Promise<Tab> {
    const tab = await portal.tab(administrator)
    const { page } = tab
    await page.goto(`${adminUrl}/migrations/access`)
    const add = page.getByRole('region', { name: 'Add organizations' })
    await add.getByLabel('Search by name').fill(name)
    await add.getByRole('checkbox', { name }).check()
    await add.getByRole('button', { name: 'Enable selected (1)' }).click()
    await rowOf(tab, name).waitFor()
    return tab
  }

  /** Issues the credential of an organization. Returns what the banner shows. */
  async function issued({ page }: Tab, name: string): Promise<{ id: string; secret: string }> {
    await page.getByRole('button', { name: `Issue credential: ${name}` }).click()
    const banner = page.getByRole('region', { name: `New credential for ${name}` })
    await banner.getByRole('button', { name: 'Show client secret' }).click()
    const [id = '', secret = ''] = await banner.locator('code').allInnerTexts()
    return { id, secret }
  }

  test('`{admin_url}` is the admin portal root.', async () => {
    const tab = await portal.tab(administrator)
    await tab.page.goto(adminUrl)
    await headingOf(tab, 'Migrations').waitFor()
    expect(tab.page.url().startsWith(`${adminUrl}/`)).toBe(true)
    await tab.close()
  })

  test('An administrator with the migration-space management permission signs in to `{admin_url}` with email and password.', async () => {
    const tab = await portal.tab()
    const { page } = tab
    await page.goto(`${adminUrl}/migrations`)
    await page.getByLabel(/e-?mail/i).fill(administrator.email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await headingOf(tab, 'Migrations').waitFor()
    expect(page.url()).toBe(`${adminUrl}/migrations`)
    await tab.close()
  })

  test('In the Migrations area an Access link leads to the Migration Access screen, which lists organisations allowed to use Store Migration with an API credential column.', async () => {
    const tab = await portal.tab(administrator)
    const { page } = tab
    await page.goto(`${adminUrl}/migrations`)
    await page.getByRole('link', { name: 'Access' }).click()
    await headingOf(tab, 'Migration Access').waitFor()
    await page.getByRole('columnheader', { name: 'API credential' }).waitFor()
    await page.getByLabel('Find by name').fill(portal.organization)
    await rowOf(tab, portal.organization).waitFor()
    await tab.close()
  })

  test('An organisation not listed is added by searching its name and choosing Enable selected.', async () => {
    const name = await anOrganizationWithoutAccess(portal.world)
    const tab = await portal.tab(administrator)
    await tab.page.goto(`${adminUrl}/migrations/access?text=${encodeURIComponent(name)}`)
    await headingOf(tab, 'Migration Access').waitFor()
    expect(await rowOf(tab, name).count()).toBe(0)
    await tab.close()
    const after = await enabled(name)
    await rowOf(after, name).getByText('Not issued').waitFor()
    await after.close()
  })

  test('Issue credential: generates client_id and client_secret (values are system-generated, not chosen), shown once in a banner.', async () => {
    const name = await anOrganizationWithoutAccess(portal.world)
    const tab = await enabled(name)
    const { id, secret } = await issued(tab, name)
    expect(id).toMatch(/^sfc_/)
    expect(secret.length).toBeGreaterThan(30)
    await tab.page.getByRole('button', { name: 'I stored it' }).click()
    await tab.page.reload()
    await rowOf(tab, name).waitFor()
    expect(await tab.page.content()).not.toContain(secret)
    await tab.close()
  })

  test('last 4 characters of current secret | displayed in the admin portal', async () => {
    const name = await anOrganizationWithoutAccess(portal.world)
    const tab = await enabled(name)
    const { secret } = await issued(tab, name)
    await rowOf(tab, name)
      .getByText(`ends in ${secret.slice(-4)}`)
      .waitFor()
    await tab.close()
  })
})
