import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Browser, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumMissing, findChromium } from '../harness/chromium.ts'
import { longTest } from '../harness/long-form.ts'
import { until } from '../harness/until.ts'
import { anOrganizationWithoutAccess, type Person, type Portal, startPortal } from './a-portal.ts'
import { expectSound, startBrowser, type Tab } from './a-tab.ts'

describe.skipIf(!findChromium())(findChromium() ? 'administration in a browser' : chromiumMissing, () => {
  let browser: Browser
  let portal: Portal
  let administrator: Person
  beforeAll(async () => {
    browser = await startBrowser()
    portal = await startPortal({ entities: ['brands'] }, browser)
    administrator = await portal.person({ administrator: true })
  }, 300_000)
  afterAll(async () => {
    await portal?.stop()
    await browser?.close()
  })

  const at = (path: string) => `${portal.world.url}${path}`
  const heading = ({ page }: Tab, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
  const row = ({ page }: Tab, name: string) => page.getByRole('row').filter({ hasText: name })

  test('an administrator of a new service, which has no migration yet, is led to the organizations', async () => {
    const tab = await portal.tab(administrator)
    const { page } = tab
    // Other stories start migrations in the same service.
    await page.route('**/admin/api/migrations*', (route) => route.fulfill({ json: { items: [], nextCursor: null } }))
    await page.goto(at('/admin/migrations'))
    await page.getByRole('main').getByRole('link', { name: 'Organizations' }).click()
    await heading(tab, 'Organizations')
    await tab.close()
  })

  test('the whole life of a credential: found, enabled, issued once, rotated, disabled, issued again, removed', async () => {
    const name = await anOrganizationWithoutAccess(portal.world)
    const tab = await portal.tab(administrator)
    const { page } = tab
    await page.goto(at('/app'))
    await heading(tab, 'Migrations')
    expect(new URL(page.url()).pathname).toBe('/admin/migrations')
    await expectSound(tab, 'admin-migrations')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('link', { name: 'Access' }).click()
    await heading(tab, 'Migration Access')
    await page.getByText('Organizations allowed to use Store Migration.').waitFor()
    await page.getByRole('region', { name: 'Add organizations' }).getByLabel('Search by name').fill(name.slice(0, 22))
    await page.getByRole('checkbox', { name }).check()
    await page.getByRole('button', { name: 'Enable selected (1)' }).click()
    await page.getByText(`${name} has Store Migration now.`).waitFor()
    await row(tab, name).getByText('Not issued').waitFor()

    const press = (action: string) => page.getByRole('button', { name: `${action}: ${name}` }).click()
    const confirm = async (title: string, action: string) => {
      const question = page.getByRole('dialog', { name: title })
      await question.getByRole('button', { name: action }).click()
      await question.waitFor({ state: 'hidden' })
    }
    const banner = page.getByRole('region', { name: `New credential for ${name}` })
    const secretShown = async () => {
      await banner.getByRole('button', { name: 'Show client secret' }).click()
      const [id = '', secret = ''] = await banner.locator('code').allInnerTexts()
      return { id, secret }
    }
    await press('Issue credential')
    await banner.waitFor()
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe(`New credential for ${name}`)
    await expectSound(tab, 'access-issued')
    await page.setViewportSize({ width: 1440, height: 900 })
    const first = await secretShown()
    expect(first.id).toMatch(/^sfc_/)
    await banner.getByRole('button', { name: 'I stored it' }).click()
    await banner.waitFor({ state: 'hidden' })
    expect(await page.content()).not.toContain(first.secret)
    await row(tab, name)
      .getByText(`ends in ${first.secret.slice(-4)}, version 1`)
      .waitFor()

    await press('Rotate')
    await page.getByText('The old secret and all tokens stop working now. The client id stays.').waitFor()
    await expectSound(tab, 'access-rotate')
    await page.setViewportSize({ width: 1440, height: 900 })
    await confirm(`Rotate the secret of ${name}?`, 'Rotate')
    await banner.and(page.locator(':focus')).waitFor()
    const second = await secretShown()
    expect(second.id).toBe(first.id)
    expect(second.secret).not.toBe(first.secret)
    await banner.getByRole('button', { name: 'I stored it' }).click()
    await press('Disable')
    await page.getByText('API access ends now, with all tokens. People can still sign in.').waitFor()
    await confirm(`Disable API access of ${name}?`, 'Disable')
    await row(tab, name).getByText('Disabled').waitFor()
    await press('Issue credential')
    expect((await secretShown()).id).toBe(first.id)
    await banner.getByRole('button', { name: 'I stored it' }).click()
    await expectSound(tab, 'access')
    await page.setViewportSize({ width: 1440, height: 900 })

    await press('Remove access')
    const remove = page.getByRole('dialog', { name: `Remove ${name} from Store Migration?` })
    await remove.getByText('The name does not match yet.').waitFor()
    await remove.getByLabel(`Type ${name} to confirm`).fill(name)
    await confirm(`Remove ${name} from Store Migration?`, 'Remove access')
    await row(tab, name).waitFor({ state: 'hidden' })
    expect(tab.complaints).toEqual([])
    await tab.close()
  })

  longTest('a credential whose answer was lost is shown as issued, so that the next step is to rotate it', async () => {
    const name = await anOrganizationWithoutAccess(portal.world)
    await sql`update organisations set store_migration_enabled = true where name = ${name}`.execute(
      portal.world.database,
    )
    const tab = await portal.tab(administrator, /ERR_FAILED/)
    const { page } = tab
    await page.goto(at(`/admin/migrations/access?text=${encodeURIComponent(name)}`))
    const loseTheAnswer = async (route: Route) => {
      await route.fetch()
      await route.abort()
    }
    await page.route('**/credential', loseTheAnswer, { times: 1 })
    await page.getByRole('button', { name: `Issue credential: ${name}` }).click()
    await page.getByRole('button', { name: `Rotate: ${name}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click()
    await page.getByRole('region', { name: `New credential for ${name}` }).waitFor()
    await tab.close()
  })

  longTest(
    'of two credentials issued one after the other, each stays until it is stored, and is copied when it is asked for',
    async () => {
      const { database } = portal.world
      const names = [await anOrganizationWithoutAccess(portal.world), await anOrganizationWithoutAccess(portal.world)]
      await sql`update organisations set store_migration_enabled = true where name = any(${names})`.execute(database)
      const tab = await portal.tab(administrator)
      const { page } = tab
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.goto(at('/admin/migrations/access?text=Reed%20%26'))
      const secrets: string[] = []
      for (const name of names) {
        await page.getByRole('button', { name: `Issue credential: ${name}` }).click()
        const banner = page.getByRole('region', { name: `New credential for ${name}` })
        await banner.waitFor()
        expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe(
          `New credential for ${name}`,
        )
        await banner.getByRole('button', { name: 'Show client secret' }).click()
        await banner.getByRole('button', { name: 'Copy client secret' }).click()
        await banner.getByRole('button', { name: 'Copied' }).waitFor()
        secrets.push(await page.evaluate<string>('navigator.clipboard.readText()'))
        await page.getByRole('button', { name: `Rotate: ${name}` }).waitFor()
      }
      expect(new Set(secrets).size).toBe(2)
      await page.getByLabel('Find by name').fill(String(names[0]))
      await page.waitForURL((url) => url.searchParams.get('text') === names[0])
      const bannerOf = (name: string | undefined) => page.getByRole('region', { name: `New credential for ${name}` })
      await bannerOf(names[1]).waitFor()
      // Nobody has stored the first one yet.
      await bannerOf(names[0]).waitFor()
      await page.getByRole('button', { name: `Disable: ${names[0]}` }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
      await bannerOf(names[0]).waitFor({ state: 'hidden' })
      await bannerOf(names[1]).getByRole('button', { name: 'I stored it' }).click()
      expect(await page.getByRole('button', { name: 'I stored it' }).count()).toBe(0)
      await tab.close()
    },
  )

  longTest('an organization that could not be enabled stays chosen, and is enabled by the next click', async () => {
    const names = [await anOrganizationWithoutAccess(portal.world), await anOrganizationWithoutAccess(portal.world)]
    const tab = await portal.tab(administrator, /503/)
    const { page } = tab
    await page.goto(at('/admin/migrations/access'))
    await page.getByLabel('Search by name').fill('Reed &')
    for (const name of names) await page.getByRole('checkbox', { name }).check()
    const body = JSON.stringify({ error: 'unavailable', message: 'The service is too busy.' })
    const refusal = { status: 503, contentType: 'application/json', body }
    await page.route(/\/store-migration$/, (route) => route.fulfill(refusal), { times: 1 })
    await page.getByRole('button', { name: 'Enable selected (2)' }).click()
    await page.getByText(`${names[0]}: The service is too busy.`).waitFor()
    await page.getByText(`${names[1]} has Store Migration now.`).waitFor()
    expect(await page.getByRole('checkbox', { name: names[0] }).isChecked()).toBe(true)
    await page.getByRole('checkbox', { name: names[1] }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Enable selected (1)' }).click()
    await page.getByText(`${names[0]} has Store Migration now.`).waitFor()
    expect(tab.complaints).toEqual([])
    await tab.close()
  })

  longTest('a token dies on the next call after Rotate, and people go on', async () => {
    // Its token ends, and no other story may do without it.
    const own = await startPortal({ entities: ['brands'] }, browser)
    const { world, organization } = own
    expect((await world.api('GET', '/v2/stores')).status).toBe(200)
    const owner = await own.person({ role: 'owner' })
    const tab = await own.tab(administrator)
    await tab.page.goto(`${world.url}/admin/migrations/access?text=${encodeURIComponent(organization)}`)
    await tab.page.getByRole('button', { name: `Rotate: ${organization}` }).click()
    await tab.page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click()
    await tab.page.getByRole('region', { name: `New credential for ${organization}` }).waitFor()
    expect((await world.api('GET', '/v2/stores')).status).toBe(401)
    const session = { headers: { cookie: owner.cookie } }
    expect((await fetch(`${world.url}/v2/stores`, session)).status).toBe(200)
    tab.page.once('dialog', (dialog) => dialog.dismiss())
    await tab.page.getByRole('link', { name: 'Organizations', exact: true }).click()
    await heading(tab, 'Migration Access')
    await tab.close()
    await own.stop()
  })

  longTest('an organization is created with its owner, whose invitation is shown once', async () => {
    const tab = await portal.tab(administrator, /422/)
    const { page } = tab
    await page.goto(at('/admin/organizations'))
    await heading(tab, 'Organizations')
    await expectSound(tab, 'organizations')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('button', { name: 'Create organization' }).click()
    const form = page.getByRole('dialog', { name: 'Create an organization' })
    const name = `Luma ${randomUUID().slice(0, 8)}`
    await form.getByLabel('Name', { exact: true }).fill(name)
    await form.getByLabel('First name').fill('Lena')
    await form.getByLabel('Last name').fill('Luma')
    await form.getByLabel('Email').fill('not an address')
    await form.getByRole('button', { name: 'Create organization' }).click()
    await form.getByText(/^Must be an e-?mail address/i).waitFor()
    expect(await page.evaluate('document.activeElement.type')).toBe('email')
    await expectSound(tab, 'organization-form')
    await form.getByLabel('Email').fill(`lena.${randomUUID()}@example.com`)
    await form.getByRole('button', { name: 'Create organization' }).click()
    const banner = page.getByRole('region', { name: /^Invitation for lena/ })
    const link = (await banner.locator('code').innerText()).trim()
    expect(link).toContain('/app/invitation#')
    await expectSound(tab, 'organization-invitation')
    await page.setViewportSize({ width: 1440, height: 900 })
    await banner.getByRole('button', { name: 'I stored it' }).click()
    await row(tab, name).getByText('Off').waitFor()
    await page.getByRole('button', { name: `Add person: ${name}` }).click()
    const person = page.getByRole('dialog', { name: `Add a person to ${name}` })
    await expectSound(tab, 'add-person')
    await person.getByLabel('First name').fill('Vera')
    await person.getByLabel('Last name').fill('Viewer')
    await person.getByLabel('Email').fill(`vera.${randomUUID()}@example.com`)
    await person.getByLabel('Viewer').check()
    await person.getByRole('button', { name: 'Add person' }).click()
    await page.getByRole('region', { name: /^Invitation for vera/ }).waitFor()
    await tab.close()
  })

  longTest('without a connection, what an administrator does is off, and the bar says why', async () => {
    const { organisationId } = portal.world
    const tab = await portal.tab(administrator)
    const { page } = tab
    const offOn = async (path: string, title: string, names: string[]) => {
      await page.goto(at(path))
      await heading(tab, title)
      const without = await anOrganizationWithoutAccess(portal.world)
      if (path.endsWith('/access')) {
        await page.getByLabel('Search by name').fill(without)
        await page.getByRole('checkbox', { name: without }).check()
      }
      await page.context().setOffline(true)
      await page.getByText('You are offline. Migrations go on without you.').waitFor()
      for (const name of names) {
        const button = page.getByRole('button', { name }).first()
        expect([name, await button.getAttribute('aria-disabled')]).toEqual([name, 'true'])
        const why = page.locator(`[id="${await button.getAttribute('aria-describedby')}"]`)
        expect([name, await why.innerText()]).toEqual([name, 'You are offline.'])
      }
      await page.context().setOffline(false)
      await page.getByText('You are offline.').waitFor({ state: 'hidden' })
    }
    const actions = ['Rotate', 'Disable', 'Remove access'].map((name) => `${name}: ${portal.organization}`)
    const access = `/admin/migrations/access?text=${encodeURIComponent(portal.organization)}`
    await offOn(access.replace(/\?.*/, ''), 'Migration Access', ['Enable selected (1)'])
    await offOn(access, 'Migration Access', actions)
    await offOn('/admin/organizations', 'Organizations', ['Create organization', 'Add person: '])
    const own = ['Add person', 'Connect a store', ...actions]
    await offOn(`/admin/organizations/${organisationId}`, portal.organization, own)
    await offOn('/admin/administrators', 'Administrators', ['Add administrator'])
    await tab.close()
  })

  longTest('the audit says who did what, of all organizations or of one', async () => {
    const { organisationId } = portal.world
    const credential = at(`/admin/api/organisations/${organisationId}/credential/rotate`)
    const headers = { cookie: administrator.cookie, origin: portal.world.url }
    expect((await fetch(credential, { method: 'POST', headers })).status).toBe(200)
    const tab = await portal.tab(administrator)
    const { page } = tab
    await page.goto(at('/admin/audit'))
    await heading(tab, 'Audit')
    await page.getByRole('cell').filter({ hasText: 'rotated the API credential' }).first().waitFor()
    await expectSound(tab, 'audit')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(at(`/admin/migrations/access?text=${encodeURIComponent(portal.organization)}`))
    await page.getByRole('link', { name: `History of ${portal.organization}` }).click()
    await heading(tab, 'Audit')
    await page.getByText(`Only ${portal.organization}.`).waitFor()
    await page.getByLabel('Until').fill('2026-01-01')
    await page.getByText('Nothing matches', { exact: true }).waitFor()
    await page.getByText(`Only one organization.`).waitFor()
    expect(new URL(page.url()).searchParams.get('until')).toBe('2026-01-01')
    await page.getByLabel('Until').fill('')
    await page.getByLabel('From', { exact: true }).fill('2026-01-01')
    await page.getByText(`Only ${portal.organization}.`).waitFor()
    await page.getByRole('link', { name: 'Show all' }).click()
    await page.getByText(`Only ${portal.organization}.`).waitFor({ state: 'hidden' })
    const rotated = page.getByRole('row').filter({ hasText: administrator.email })
    await rotated
      .first()
      .getByRole('link', { name: `Only what Olive Reed (${administrator.email}) did` })
      .click()
    await page.getByText('Only what Olive Reed did.').waitFor()
    await page.waitForURL(new RegExp(`user=${administrator.userId}`))
    const rows = page.getByRole('table', { name: 'What was done' }).locator('tbody tr')
    expect(await rows.count()).toBe(await rotated.count())
    await expectSound(tab, 'audit-of-a-person')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('link', { name: 'Show everyone' }).click()
    await page.getByText('Only what Olive Reed did.').waitFor({ state: 'hidden' })
    await page.getByLabel('Action').selectOption('database.restore')
    await page.getByText('Nothing matches', { exact: true }).waitFor()
    await tab.close()
  })

  test('administration refuses a person who is no administrator, and an owner reads the audit of their organization', async () => {
    const owner = await portal.person({ role: 'owner' })
    const tab = await portal.tab(owner, /403/)
    await tab.page.goto(at('/admin/migrations/access'))
    await tab.page.getByText('Administration is for the people who run this service.').waitFor()
    await expectSound(tab, 'admin-refused')
    await tab.page.goto(at('/app/audit'))
    await heading(tab, 'Audit')
    const offered = await tab.page
      .getByLabel('Action')
      .locator('option')
      .evaluateAll((options) => options.map((option) => option.getAttribute('value')))
    expect(offered).toContain('sign-in.fail')
    // Successful sign-ins are in the audit of no organization, so that a filter for them would never find any.
    expect(offered).not.toContain('sign-in')
    const { rows } = await sql<{ action: string }>`
      select distinct action from audit where organisation_id is not null`.execute(portal.world.database)
    for (const { action } of rows) expect(offered).toContain(action)
    await expectSound(tab, 'own-audit')
    await tab.close()
  })

  longTest(
    'a migration of any organization is opened from the list, says that the look is recorded, and is canceled',
    async () => {
      const own = await startPortal({ entities: ['brands'], requestTimeoutSeconds: 60 }, browser)
      const { world, organization } = own
      const at = (path: string) => `${world.url}${path}`
      const trial = await world.complete({ mode: 'dry-run', entities: ['brands'] })
      await world.fault('source', { kind: 'hold_after_applying', method: 'GET', path: 'brands', times: null })
      await world.migrate({ label: 'Their held copy', entities: ['brands'] })
      await until('the copy is held', async () => (await world.faults('source')).some(({ hits }) => hits > 0))
      const tab = await portal.tab(administrator)
      const { page } = tab
      await page.goto(at(`/admin/migrations/${trial.requestId}`))
      await page
        .getByRole('list', { name: 'Items' })
        .getByText(/would be copied$/)
        .waitFor()
      // How much it would delete is in its plan, which is not shown here.
      expect(await page.getByText('would be deleted').count()).toBe(0)
      await page.goto(at(`/admin/migrations?text=Their%20held%20copy`))
      await page.getByRole('link', { name: 'Their held copy' }).click()
      await heading(tab, 'Their held copy')
      await page.getByText(/^Your look is recorded/).waitFor()
      const looked = page.waitForResponse((answer) => answer.url().includes('/admin/api/migrations/'))
      await page.getByRole('button', { name: 'Look again' }).click()
      await looked
      await expectSound(tab, 'any-migration')
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.getByRole('button', { name: 'Cancel migration' }).click()
      const question = page.getByRole('dialog', { name: 'Cancel Their held copy?' })
      await question.getByRole('button', { name: 'Cancel migration' }).click()
      await question.waitFor({ state: 'hidden' })
      await page.getByText(/^It (is being canceled|has ended)\.$/).waitFor()
      await world.release('source')
      const theirs = await own.tab(await own.person({ role: 'owner' }))
      await theirs.page.goto(at('/app/audit'))
      await theirs.page
        .getByRole('cell', { name: /looked at a migration/ })
        .first()
        .waitFor()
      await theirs.page
        .getByRole('cell', { name: /canceled a migration/ })
        .first()
        .waitFor()
      await theirs.close()
      await page.getByRole('link', { name: organization }).first().click()
      await heading(tab, organization)
      await page.getByRole('link', { name: 'Its migrations' }).click()
      await page.getByText(`Only ${organization}.`).waitFor()
      expect(new URL(page.url()).searchParams.get('organization')).toBe(world.organisationId)
      await row(tab, 'Their held copy').getByRole('cell', { name: organization }).waitFor()
      await tab.close()
      await own.stop()
    },
  )

  longTest(
    'S33: a person who forgot the password gets a link that is shown once and audited, and nobody one for themselves',
    async () => {
      const { world, organization } = portal
      const member = await portal.person({ role: 'viewer', withPassword: true })
      const tab = await portal.tab(administrator)
      const { page } = tab
      await page.goto(at(`/admin/organizations/${world.organisationId}`))
      await heading(tab, organization)
      await row(tab, member.email).getByRole('button', { name: 'Reset password: Olive Reed' }).click()
      const question = page.getByRole('dialog', { name: `Reset the password of Olive Reed (${member.email})?` })
      await question.getByText(/works once, for 30 minutes/).waitFor()
      await expectSound(tab, 'admin-reset-password')
      await page.setViewportSize({ width: 1440, height: 900 })
      await question.getByRole('button', { name: 'Cancel' }).click()
      await question.waitFor({ state: 'hidden' })
      const resets = async () =>
        (
          await sql`select from one_time_links where user_id = ${member.userId} and purpose = 'reset'`.execute(
            world.database,
          )
        ).rows.length
      expect(await resets()).toBe(0)
      await row(tab, member.email).getByRole('button', { name: 'Reset password: Olive Reed' }).click()
      await question.getByRole('button', { name: 'Make the link' }).click()
      const banner = page.getByRole('region', { name: `New password for ${member.email}` })
      const link = (await banner.locator('code').innerText()).trim()
      expect(link).toContain('/app/reset#')
      expect(await resets()).toBe(1)
      await banner.getByRole('button', { name: 'I stored it' }).click()
      await banner.waitFor({ state: 'hidden' })
      expect(await page.content()).not.toContain(link.split('#')[1])
      await page.goto(at('/admin/audit'))
      await page.getByRole('cell').filter({ hasText: 'made a link to a new password' }).first().waitFor()
      await page.goto(at('/admin/administrators'))
      await heading(tab, 'Administrators')
      const own = row(tab, administrator.email)
      await own.getByText('Change your own password in your profile.').waitFor()
      expect(await own.getByRole('button', { name: 'Reset password: Olive Reed' }).getAttribute('aria-disabled')).toBe(
        'true',
      )
      await expectSound(tab, 'administrators')
      await tab.close()
    },
  )

  longTest(
    'an organization shows its credential, stores, members and history, and gets a store and a person',
    async () => {
      const { world } = portal
      const name = await anOrganizationWithoutAccess(world)
      const tab = await portal.tab(administrator, /422/)
      const { page } = tab
      await page.goto(at(`/admin/organizations?text=${encodeURIComponent(name)}`))
      await page.getByRole('link', { name, exact: true }).click()
      await heading(tab, name)
      await page.getByText('No stores yet').waitFor()
      await page.getByText('No members').waitFor()
      await page.getByRole('button', { name: 'Enable Store Migration' }).click()
      await page.getByText('Not issued').waitFor()
      const sent: string[] = []
      page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
      // A second click meanwhile asks for nothing more.
      await page.getByRole('button', { name: `Issue credential: ${name}` }).dblclick()
      await page.getByRole('button', { name: 'I stored it' }).click()
      expect(sent).toHaveLength(1)
      await page.getByText(/^ends in .{4}, version 1$/).waitFor()
      await page.getByRole('button', { name: 'Connect a store' }).click()
      const form = page.getByRole('dialog', { name: `Connect a store of ${name}` })
      const { hash, token } = world.address('source')
      await form.getByLabel('API path or store hash').fill(`https://api.bigcommerce.com/stores/${hash}/v3/`)
      await form.getByLabel('Access token').fill('no-such-token')
      await form.getByRole('button', { name: 'Check and connect' }).click()
      await form.getByText(/does not accept this API token/).waitFor()
      await form.getByLabel('Access token').fill(token)
      await form.getByRole('button', { name: 'Check and connect' }).click()
      await page
        .getByRole('table', { name: /^Stores of/ })
        .getByText(hash)
        .waitFor()
      await page.getByRole('button', { name: 'Add person' }).click()
      const person = page.getByRole('dialog', { name: `Add a person to ${name}` })
      await person.getByLabel('First name').fill('Vera')
      await person.getByLabel('Last name').fill('View')
      await person.getByLabel('Email').fill(`vera.${randomUUID()}@example.com`)
      await person.getByRole('button', { name: 'Add person' }).click()
      await page.getByRole('button', { name: 'I stored it' }).click()
      await row(tab, 'Vera View').getByText('Invited').waitFor()
      await page.getByText('added a member').waitFor()
      await expectSound(tab, 'organization')
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.getByRole('button', { name: 'Invite again: Vera View' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Make the link' }).click()
      const again = page.getByRole('region', { name: /^Invitation for vera/ })
      expect(await again.locator('code').innerText()).toContain('/app/invitation#')
      await tab.close()
    },
  )

  longTest('capacity shows hosts with their room, and what waits and why, without a reload', async () => {
    const { world } = portal
    const tab = await portal.tab(administrator)
    const { page } = tab
    // Migrations that other stories left in the middle would wait for places, too.
    await sql`update runs set status = 'cancelled' where status in ('queued', 'in_progress')`.execute(world.database)
    await sql`insert into worker_hosts (name, max_runs, memory_mib, tier_caps, seen_at)
      values ('host <a>', 4, 2048, '{}', now() + interval '1 hour')`.execute(world.database)
    await page.clock.install()
    await page.goto(at('/admin/capacity'))
    await heading(tab, 'Capacity')
    const refreshed = () => page.clock.fastForward(5_000)
    await row(tab, 'host <a>').getByText('0 of 4').waitFor()
    await page.getByText('Nothing is waiting').waitFor()
    const { rows } = await sql<{ id: string }>`
      insert into runs (id, organisation_id, source_store_id, destination_store_id, mode, conflict_strategy, auto_heal, settings,
        selective, phases, status, tier, mem_mib, cpus, label, created_at)
      select gen_random_uuid(), src.organisation_id, src.id, dst.id, 'full', 'skip', true, '{}', false, '[]', 'queued', 'xxlarge',
        4096, 1, 'Large copy', now() - interval '1 hour'
      from stores src join stores dst on dst.organisation_id = src.organisation_id and dst.hash = ${world.address('destination').hash}
      where src.organisation_id = ${world.organisationId} and src.hash = ${world.address('source').hash}
      returning id`.execute(world.database)
    await refreshed()
    await row(tab, 'Large copy').getByText('It begins within seconds.').waitFor()
    // The story before may have left its own, which is counted until it has been silent for a while.
    await sql`delete from worker_hosts`.execute(world.database)
    await refreshed()
    await row(tab, 'Large copy').getByText('No host offers a place.').waitFor()
    await page.getByText('No host works on migrations').waitFor()
    await expectSound(tab, 'capacity')
    await page.getByRole('link', { name: 'Large copy' }).click()
    await heading(tab, 'Large copy')
    await page.getByText('Why it waits', { exact: true }).waitFor()
    await page.getByText('No host offers a place.').waitFor()
    await expectSound(tab, 'any-migration-waits')
    await sql`delete from runs where id = ${rows[0]?.id}`.execute(world.database)
    await tab.close()
  })

  longTest('an administrator is added with a link that is shown once', async () => {
    const tab = await portal.tab(administrator)
    const { page } = tab
    await page.goto(at('/admin/administrators'))
    await heading(tab, 'Administrators')
    await page.getByRole('button', { name: 'Add administrator' }).click()
    const form = page.getByRole('dialog', { name: 'Add an administrator' })
    await form.getByLabel('First name').fill('Nora')
    await form.getByLabel('Last name').fill('New')
    const email = `nora.${randomUUID()}@example.com`
    await form.getByLabel('Email').fill(email)
    await form.getByRole('button', { name: 'Add administrator' }).click()
    const banner = page.getByRole('region', { name: `Invitation for ${email}` })
    expect(await banner.locator('code').innerText()).toContain('/app/invitation#')
    await banner.getByRole('button', { name: 'I stored it' }).click()
    await row(tab, email).getByText('Invited').waitFor()
    await expectSound(tab, 'administrators')
    await tab.close()
  })
})
