import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { saveTry } from '../../src/db/notifications/deliveries.ts'
import { chromiumMissing, findChromium } from '../harness/chromium.ts'
import { longTest } from '../harness/long-form.ts'
import { withPortal } from './a-portal.ts'
import { expectSound, type Tab } from './a-tab.ts'

const host = 'hooks.example'
const address = `https://${host}/storeferry`

describe.skipIf(!findChromium())(findChromium() ? 'webhooks and mails in a browser' : chromiumMissing, () => {
  const portal = withPortal({ entities: ['brands'] })

  async function open(tab: Tab) {
    await tab.page.goto(`${portal.world.url}/app/notifications`)
    await tab.page.getByRole('heading', { level: 1, name: 'Notifications' }).waitFor()
  }

  const row = ({ page }: Tab, name: string | RegExp) => page.getByRole('row').filter({ hasText: name })

  /** As the sender records that the address did not answer, and when it tries again, unless it gave up. */
  async function theTestFails(nextTryAt: Date | null) {
    const { database, organisationId } = portal.world
    const { rows } = await sql<{ id: string }>`
      select id from notification_deliveries where organisation_id = ${organisationId}`.execute(database)
    expect(rows).toHaveLength(1)
    const tried = { at: new Date(), durationMs: 15_000, httpStatus: null, problem: 'timeout' } as const
    const key = { id: String(rows[0]?.id), organisationId }
    await database.transaction().execute((tx) => saveTry(tx, key, tried, nextTryAt))
  }

  test('an owner adds a webhook, keeps its secret, tests it, reads why it failed, sends it again and deletes it', async () => {
    const tab = await portal.tab(await portal.person({ role: 'owner' }), /422|409/)
    const { page } = tab
    await open(tab)
    await page.getByText('No webhook yet').waitFor()
    await page.getByText('Nothing was sent in the last 30 days').waitFor()
    await page.getByRole('button', { name: 'Add a webhook' }).click()
    const form = page.getByRole('dialog', { name: 'Add a webhook' })
    await form.getByLabel('Address').fill('http://hooks.example/')
    await form.getByLabel('Description').fill('For the warehouse')
    await form.getByRole('radio', { name: 'Only some' }).check()
    await form.getByRole('checkbox', { name: 'A migration ended' }).uncheck()
    await form.getByRole('button', { name: 'Add' }).click()
    await form.getByText('Must be an https address of a public host on port 443').waitFor()
    await expectSound(tab, 'webhook-form')
    await form.getByLabel('Address').fill(address)
    await form.getByRole('button', { name: 'Add' }).click()

    const banner = page.getByRole('region', { name: `Secret for ${host}` })
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    await banner.getByRole('button', { name: 'Copy signing secret' }).click()
    await banner.getByText('The browser did not copy it. Select it, and copy it yourself.').waitFor()
    await banner.getByRole('button', { name: 'Show signing secret' }).click()
    expect(await banner.locator('code').innerText()).toMatch(/^whsec_/)
    await banner.getByRole('button', { name: 'I stored it' }).click()
    await page.locator('h1:focus').waitFor()
    const webhook = row(tab, address)
    await webhook.getByText('For the warehouse').waitFor()
    await webhook.getByText('7 of 8 kinds').waitFor()

    await webhook.getByRole('button', { name: `Test: ${host}` }).click()
    await webhook.getByText('A test is on its way.').waitFor()
    await row(tab, 'Waiting').getByRole('button', { name: 'Send now: Test' }).waitFor()
    await theTestFails(new Date(Date.now() + 7_200_000))
    await row(tab, 'Waiting')
      .getByText(/^No answer within 15 seconds\. Next try: \w+ \d+, \d+, \d+:\d\d\s[AP]M$/)
      .waitFor()
    await theTestFails(null)
    await row(tab, 'Failed').getByText('No answer within 15 seconds.').waitFor()
    await page.getByLabel('State').selectOption({ label: 'Arrived' })
    await page.getByText('Nothing matches', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Clear filters' }).click()
    await expectSound(tab, 'notifications')
    await row(tab, 'Failed').getByRole('button', { name: 'Send again: Test' }).click()
    await row(tab, 'Waiting').waitFor()

    await page.getByRole('combobox', { name: 'Webhook' }).selectOption({ label: host })
    await page.waitForURL(/webhookId=/)
    const filtered = page.url()
    await row(tab, 'Waiting').waitFor()
    await webhook.getByRole('button', { name: `Switch off: ${host}` }).click()
    await webhook.getByText('It is off: events are not kept for it.').waitFor()
    await webhook.getByText('Switch it on to test it.').waitFor()
    await webhook.getByRole('button', { name: `Delete: ${host}` }).click()
    const question = page.getByRole('dialog', { name: `Delete the webhook to ${host}?` })
    await question.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No webhook yet').waitFor()
    await page.getByText('Nothing was sent in the last 30 days').waitFor()
    await page.goto(filtered)
    await page.getByText('Nothing was sent in the last 30 days').waitFor()
    await tab.close()
  })

  test('who stays with a secret that is shown stays in the organization, too, and goes on in it', async () => {
    const { world } = portal
    const { organisationId } = await world.anotherOrganisation('Second of the list', [])
    const owner = await portal.person({ role: 'owner' })
    await sql`insert into memberships (organisation_id, user_id, role)
      values (${organisationId}, ${owner.userId}, 'owner')`.execute(world.database)
    const tab = await portal.tab(owner)
    const { page } = tab
    await page.goto(`${world.url}/app/notifications?org=${world.organisationId}`)
    const add = async (name: string) => {
      await page.getByRole('button', { name: 'Add a webhook' }).click()
      await page.getByLabel('Address').fill(`https://${name}.example/`)
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await page.getByRole('region', { name: `Secret for ${name}.example` }).waitFor()
    }
    await add('first')
    const switcher = page.getByLabel('Organization')
    const asked = page.waitForEvent('dialog').then((dialog) => dialog.dismiss())
    await switcher.selectOption(organisationId)
    await asked
    expect(await switcher.inputValue()).toBe(world.organisationId)
    await add('second')
    const { rows } = await sql`select 1 from webhooks where organisation_id = ${organisationId}`.execute(world.database)
    expect(rows).toEqual([])
    page.once('dialog', (dialog) => dialog.accept())
    await switcher.selectOption(organisationId)
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    expect(await switcher.inputValue()).toBe(organisationId)
    expect(page.url()).toBe(`${world.url}/app`)
    await page.getByText('Your first migration').waitFor()
    await sql`delete from webhooks where organisation_id = ${world.organisationId}`.execute(world.database)
    await tab.close()
  })

  longTest('an owner changes a webhook, gives it a new secret, and chooses the mails of a member', async () => {
    const owner = await portal.person({ role: 'owner' })
    const tab = await portal.tab(owner)
    const { page } = tab
    await open(tab)
    await page.getByRole('button', { name: 'Add a webhook' }).click()
    await page.getByLabel('Address').fill(address)
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('region', { name: `Secret for ${host}` }).waitFor()
    await page.getByRole('button', { name: 'Add a webhook' }).click()
    await page.getByLabel('Address').fill('https://second.example/')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    const second = page.getByRole('region', { name: 'Secret for second.example' })
    await second.getByRole('button', { name: 'I stored it' }).click()
    await second.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'I stored it' }).click()
    // Another one of the same host is told apart by its address.
    await page.getByRole('button', { name: 'Add a webhook' }).click()
    await page.getByLabel('Address').fill('https://second.example/orders')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('region', { name: 'Secret for second.example/orders' }).waitFor()
    await page.getByRole('button', { name: 'I stored it' }).click()
    await page.getByRole('combobox', { name: 'Webhook' }).selectOption({ label: 'second.example/orders' })
    await page.getByRole('button', { name: 'Delete: second.example/orders' }).click()
    await page.getByRole('dialog', { name: 'second.example/orders' }).getByRole('button', { name: 'Delete' }).click()
    await row(tab, 'second.example/orders').waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Delete: second.example' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await row(tab, 'second.example').waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: `Change: ${host}` }).click()
    const form = page.getByRole('dialog', { name: `Change the webhook to ${host}` })
    await form.getByLabel('Description').fill('For the accounts')
    await form.getByRole('button', { name: 'Save' }).click()
    await row(tab, address).getByText('For the accounts').waitFor()
    await page.getByRole('button', { name: `New secret: ${host}` }).click()
    await page.getByRole('button', { name: 'Make a new secret' }).click()
    await page.getByRole('region', { name: `Secret for ${host}` }).waitFor()
    await page.getByRole('button', { name: 'I stored it' }).click()
    await row(tab, address).getByText('Also signed with the secret before').waitFor()
    await page.getByRole('button', { name: `New secret: ${host}` }).click()
    await page.getByRole('dialog').getByText('ends now. Its receiver has to know the present one.').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()

    await page.getByText('No mail is sent: this service has no mail server.').waitFor()
    const member = row(tab, 'Choose').filter({ hasText: 'Nothing' }).first()
    await member.getByRole('button', { name: /^Choose mails: / }).click()
    await page.getByRole('checkbox', { name: 'Items need review' }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await row(tab, 'Choose').filter({ hasText: 'Items need review' }).waitFor()
    await tab.close()
  })

  longTest('mails of members with the same name are chosen by their addresses', async () => {
    const [one, other] = [await portal.person({ role: 'viewer' }), await portal.person({ role: 'owner' })]
    const tab = await portal.tab(other)
    const { page } = tab
    await open(tab)
    for (const { email } of [one, other]) await row(tab, email).getByText('Nothing', { exact: true }).waitFor()
    await row(tab, one.email)
      .getByRole('button', { name: `Choose mails: Olive Reed (${one.email})` })
      .click()
    await page.getByRole('dialog', { name: `Mails to Olive Reed (${one.email})` }).waitFor()
    await page.getByRole('checkbox', { name: 'Items need review' }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await row(tab, one.email).getByText('Items need review').waitFor()
    await row(tab, other.email).getByText('Nothing', { exact: true }).waitFor()
    // One of many is searched; the log is not below hundreds of others.
    for (let more = 0; more < 8; more += 1) await portal.person({ role: 'viewer' })
    await page.reload()
    const mails = page.getByRole('region', { name: 'Mails to members' })
    await mails.getByRole('searchbox', { name: 'Name or email' }).fill(one.email)
    await row(tab, other.email).waitFor({ state: 'hidden' })
    await row(tab, one.email).getByText('Items need review').waitFor()
    await expectSound(tab, 'mails-found')
    await mails.getByRole('searchbox').fill('nobody')
    await mails.getByText('Nothing matches.').last().waitFor()
    expect(await mails.getByRole('row').count()).toBe(0)
    await tab.close()
  })

  longTest(
    'S18: an operator sees webhooks and the log and changes nothing, and a viewer reads whom to ask',
    async () => {
      const operator = await portal.tab(await portal.person({ role: 'operator' }))
      await open(operator)
      await operator.page.getByText(/^Only owners change notifications/).waitFor()
      expect(await operator.page.getByRole('heading', { name: 'Mails to members' }).count()).toBe(0)
      await expectSound(operator, 'notifications-operator')
      await operator.close()
      const viewer = await portal.tab(await portal.person({ role: 'viewer' }))
      await open(viewer)
      await viewer.page.getByText('Viewers cannot see notifications. Ask an owner or operator.').waitFor()
      await viewer.close()
    },
  )
})
