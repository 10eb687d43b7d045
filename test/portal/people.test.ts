import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Role } from '../../src/contract/accounts/permissions.ts'
import { saveConnection } from '../../src/db/oauth/oauth-connections.ts'
import { saveRecord } from '../../src/db/oauth/oauth-records.ts'
import { chromiumMissing, findChromium } from '../harness/chromium.ts'
import { longTest } from '../harness/long-form.ts'
import { workerGround } from '../harness/worker-ground.ts'
import { type Person, password, withPortal } from './a-portal.ts'
import { expectSound, type Tab } from './a-tab.ts'

const wide = { width: 1440, height: 900 }
const newPassword = 'an entirely new password'

describe.skipIf(!findChromium())(findChromium() ? 'people and their access in a browser' : chromiumMissing, () => {
  const portal = withPortal({ entities: ['brands'] })

  const at = (path: string) => `${portal.world.url}${path}`
  const heading = ({ page }: Tab, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
  const open = async (tab: Tab, path: string, title: string) => {
    await tab.page.goto(at(path))
    await heading(tab, title)
  }
  const row = ({ page }: Tab, name: string) => page.getByRole('row').filter({ hasText: name })
  const sound = async (tab: Tab, name: string) => {
    await expectSound(tab, name)
    await tab.page.setViewportSize(wide)
  }
  const answerOf = async (path: string, { cookie }: Person, organizationId: string) =>
    (await fetch(at(path), { headers: { cookie, 'storeferry-organization': organizationId } })).status

  /** An organization of its own, with one owner and the named stores. */
  async function anOrganization(name: string, stores: string[] = []) {
    const { organisationId } = await portal.world.anotherOrganisation(`${name} ${randomUUID().slice(0, 8)}`, stores)
    // Its first owner came by the API; this one is before the screen.
    await sql`update memberships set active = false where organisation_id = ${organisationId}`.execute(
      portal.world.database,
    )
    return {
      organisationId,
      owner: await portal.person({ role: 'owner', organizationId: organisationId }),
      member: (role: Role, withPassword = false) =>
        portal.person({ role, organizationId: organisationId, withPassword }),
    }
  }

  test('S31: an owner invites a colleague, who joins, gets another role and a new password, and is removed', async () => {
    const { owner, organisationId } = await anOrganization('Reed Lamps')
    const email = `hal.${randomUUID()}@shop.example`
    const tab = await portal.tab(owner, /422/)
    const { page } = tab
    await open(tab, '/app', 'Home')
    await page.getByRole('link', { name: 'Members' }).click()
    await heading(tab, 'Members')
    await page.getByRole('button', { name: 'Invite a member' }).click()
    const form = page.getByRole('dialog', { name: 'Invite a member' })
    await form.getByLabel('First name').fill('Hal')
    await form.getByLabel('Last name').fill('Dent')
    await form.getByLabel('Email').fill('no address')
    await form.getByRole('radio', { name: 'Viewer' }).check()
    await form.getByRole('button', { name: 'Invite' }).click()
    await form.getByText('Must be an email address.').waitFor()
    await form.getByText('You get a link to give to the person. No mail is sent.').waitFor()
    await sound(tab, 'invite')
    await form.getByLabel('Email').fill(email)
    await form.getByRole('button', { name: 'Invite' }).click()
    const invitation = await linkIn(tab, `Invitation for ${email}`)
    await page.getByText(/^No mail is sent: give this link to the person yourself\./).waitFor()
    await row(tab, email).getByText('Invited until').waitFor()
    await sound(tab, 'members-invited')
    // Another change does not take away what nobody has stored yet.
    await page.getByRole('button', { name: 'Change role: Hal Dent' }).click()
    await page.getByRole('button', { name: 'Save the role' }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'I stored it' }).click()

    const theirs = await portal.tab()
    await theirs.page.goto(invitation)
    const whom = `Olive Reed invited ${email} to join Reed Lamps`
    await theirs.page.getByText(whom).waitFor()
    await theirs.page.getByText(/ as viewer: Sees everything, changes nothing\.$/).waitFor()
    await sound(theirs, 'invitation')
    await theirs.page.getByLabel(/Choose a password/).fill(password)
    await theirs.page.getByRole('button', { name: 'Accept the invitation' }).click()
    await theirs.page.getByText('Your invitation is accepted.').waitFor()
    await signIn(theirs, email, password)
    await heading(theirs, 'Home')
    expect(await theirs.page.getByRole('link', { name: 'Members' }).count()).toBe(0)

    await page.reload()
    await row(tab, email).getByText('Active').waitFor()
    await page.getByRole('button', { name: 'Change role: Hal Dent' }).click()
    const roles = page.getByRole('dialog', { name: 'Change the role of Hal Dent' })
    await roles.getByRole('radio', { name: 'Operator' }).check()
    await roles.getByRole('button', { name: 'Save the role' }).click()
    await row(tab, email).getByText('Operator').waitFor()

    await page.getByRole('button', { name: 'Reset password: Hal Dent' }).click()
    const reset = page.getByRole('dialog', { name: `Reset the password of Hal Dent (${email})?` })
    await reset.getByRole('button', { name: 'Make the link' }).click()
    const link = await linkIn(tab, `New password for ${email}`)
    await page.getByRole('button', { name: 'I stored it' }).click()
    const elsewhere = await portal.tab()
    await elsewhere.page.goto(link)
    await sound(elsewhere, 'reset')
    await elsewhere.page.getByLabel(/New password/).fill(newPassword)
    await elsewhere.page.getByRole('button', { name: 'Set the new password' }).click()
    await signIn(elsewhere, email, newPassword)
    await heading(elsewhere, 'Home')
    await theirs.page.reload()
    await heading(theirs, 'Sign in')

    await page.getByRole('button', { name: 'Remove: Hal Dent' }).click()
    const remove = page.getByRole('dialog', { name: `Remove Hal Dent (${email})?` })
    await remove.getByText('Access ends at once and for good').waitFor()
    // A second Enter, or one that is held, removes nobody.
    await remove.getByRole('button', { name: 'Keep it as it is' }).and(page.locator(':focus')).waitFor()
    await remove.getByRole('button', { name: 'Remove' }).click()
    await row(tab, email).waitFor({ state: 'hidden' })
    await elsewhere.page.reload()
    await elsewhere.page.getByText('You are not a member of any organization').waitFor()

    await page.getByRole('link', { name: 'Audit' }).click()
    await page.getByRole('cell', { name: /removed a member Hal Dent, Operator/ }).waitFor()
    // Also of those who have left.
    await page.getByLabel('Person').selectOption({ label: `Hal Dent (${email})` })
    await page.getByRole('cell', { name: /^Hal Dent accepted/ }).waitFor()
    await page.getByRole('cell', { name: /removed a member/ }).waitFor({ state: 'hidden' })
    await page.getByLabel('Person').selectOption('All')
    await page.getByLabel('Action').selectOption('member.change')
    await page.getByRole('cell', { name: /Hal Dent, Viewer → Operator/ }).waitFor()
    await page.getByRole('cell', { name: /removed a member/ }).waitFor({ state: 'hidden' })
    await page.getByLabel('Until').fill('2001-01-01')
    await page.getByText('Nothing matches', { exact: true }).waitFor()
    await sound(tab, 'audit-empty')
    expect(await answerOf('/v2/members', owner, organisationId)).toBe(200)
    for (const one of [tab, theirs, elsewhere]) await one.close()
  })

  const linkIn = async ({ page }: Tab, title: string) =>
    (await page.getByRole('region', { name: title }).locator('code').innerText()).trim()

  async function signIn({ page }: Tab, email: string, given: string) {
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(given)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }

  longTest('what an owner cannot do to a member is off and says why', async () => {
    const { owner, member } = await anOrganization('Luma')
    const shared = await member('viewer')
    await sql`
      insert into memberships (organisation_id, user_id, role)
      values (${portal.world.organisationId}, ${shared.userId}, 'viewer')`.execute(portal.world.database)
    const tab = await portal.tab(owner)
    await open(tab, '/app/members', 'Members')
    const offIn = async (email: string, action: string, reason: string) => {
      const button = row(tab, email).getByRole('button', { name: action })
      expect([action, await button.getAttribute('aria-disabled')]).toEqual([action, 'true'])
      const described = (await button.getAttribute('aria-describedby')) ?? ''
      expect(await tab.page.locator(`[id="${described}"]`).innerText()).toBe(reason)
    }
    const needed = 'An organization needs an owner who can sign in.'
    await offIn(owner.email, 'Change role', needed)
    await offIn(owner.email, 'Remove', needed)
    await offIn(owner.email, 'Reset password', 'Change your own password in your profile.')
    const elsewhere = 'Belongs to more than this organization. Ask the people who run this service.'
    await offIn(shared.email, 'Reset password', elsewhere)
    await sound(tab, 'members')
    await tab.page.context().setOffline(true)
    await offIn(shared.email, 'Remove', 'You are offline.')
    await tab.close()
  })

  test('one of many members is searched by name, and what can be done to them does not depend on who is found', async () => {
    const { owner, organisationId } = await anOrganization('Beacon')
    await sql`
      with people as (
        insert into users (id, first_name, last_name, email, email_key, password_hash)
        select gen_random_uuid(), 'Zoe', 'Quill ' || n, key, key, 'no password'
        from generate_series(1, 9) n, concat('zoe.', n, '.', ${organisationId}::text, '@shop.example') key returning id, last_name)
      insert into memberships (organisation_id, user_id, role)
      select ${organisationId}, id, case last_name when 'Quill 7' then 'owner' else 'viewer' end from people`.execute(
      portal.world.database,
    )
    const tab = await portal.tab(owner)
    const { page } = tab
    await open(tab, '/app/members', 'Members')
    const rows = page.getByRole('table', { name: 'Members by email' }).getByRole('row')
    expect(await rows.count()).toBe(11)
    await page.getByRole('searchbox', { name: 'Name or email' }).fill('quill 7')
    await page.waitForURL(/text=quill/)
    await row(tab, 'Quill 1').waitFor({ state: 'hidden' })
    expect(await row(tab, 'Quill 7').getByRole('button', { name: 'Remove' }).getAttribute('aria-disabled')).toBe(
      'false',
    )
    await page.reload()
    await row(tab, 'Quill 7').waitFor()
    expect(await rows.count()).toBe(2)
    await sound(tab, 'members-found')
    await page.getByRole('searchbox', { name: 'Name or email' }).fill('nobody')
    await page.getByText('No member matches').waitFor()
    await page.getByRole('link', { name: 'Clear filters' }).click()
    await row(tab, 'Quill 1').waitFor()
    expect(await rows.count()).toBe(11)
    await tab.close()
  })

  test.each([
    'operator',
    'viewer',
  ] as const)('S18: for an %s, places of owners are not in the rail and say whom to ask', async (role) => {
    const { member } = await anOrganization('Lumen')
    const tab = await portal.tab(await member(role))
    await open(tab, '/app', 'Home')
    for (const name of ['Members', 'API access', 'Audit'])
      expect([name, await tab.page.getByRole('link', { name }).count()]).toEqual([name, 0])
    for (const [path, title, reason] of [
      ['/app/members', 'Members', 'Only owners see members: Olive Reed.'],
      ['/app/api-access', 'API access', 'Only owners see the API access: Olive Reed.'],
      ['/app/audit', 'Audit', 'Only owners see the audit: Olive Reed.'],
    ] as const) {
      await open(tab, path, title)
      await tab.page.getByText(reason).waitFor()
    }
    await sound(tab, `owners-only-${role}`)
    await tab.close()
  })

  longTest('an owner reads how programs log in, and that it takes two stores', async () => {
    const { owner } = await anOrganization('Old Mill', ['source'])
    const tab = await portal.tab(owner)
    const { page } = tab
    await open(tab, '/app/api-access', 'API access')
    await page.getByText('Logging in needs two connected stores; you have one.').waitFor()
    await page.getByText('Enabled').waitFor()
    await page.getByText(/^ends in /).waitFor()
    const lines = page.getByRole('region', { name: 'Lines to paste' })
    expect(await lines.innerText()).toContain(`curl '${portal.world.url}/v2/login'`)
    expect(await lines.innerText()).toContain(owner.email)
    await page.getByRole('radio', { name: 'Command line' }).check()
    expect(await lines.innerText()).toContain("storeferry login --username 'Olive Reed'")
    await sound(tab, 'api-access')
    await tab.close()
  })

  longTest('a viewer disconnects an assistant, whose next call is refused', async () => {
    const { member, organisationId } = await anOrganization('Harbor')
    const viewer = await member('viewer')
    await connectAssistant(viewer.userId, organisationId)
    const tab = await portal.tab(viewer)
    const { page } = tab
    await open(tab, '/app', 'Home')
    await page.getByRole('link', { name: 'Connected assistants' }).click()
    await heading(tab, 'Connected assistants')
    await page.getByText(`${portal.world.url}/mcp`).waitFor()
    await sound(tab, 'assistants')
    await page.getByRole('button', { name: 'Disconnect: Note taker' }).click()
    const question = page.getByRole('dialog', { name: 'Disconnect Note taker?' })
    await question.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByText('No assistant is connected').waitFor()
    const { rows } = await sql`select 1 from oauth_connections where user_id = ${viewer.userId}`.execute(
      portal.world.database,
    )
    expect(rows).toEqual([])
    await tab.close()
  })

  async function connectAssistant(userId: string, organisationId: string) {
    const { database } = portal.world
    const [grantId, clientId, connectedAt] = [randomUUID(), `sfm_${randomUUID()}`, new Date()]
    const expiresAt = new Date(connectedAt.getTime() + 3_600_000)
    await saveRecord(database, {
      model: 'Grant',
      id: grantId,
      payload: { accountId: userId },
      expiresAt,
      at: connectedAt,
    })
    const names = { clientName: 'Note taker', redirectHost: 'notes.example' }
    await saveConnection(database, { grantId, organisationId, userId, clientId, ...names, connectedAt, generation: 0 })
  }

  longTest('the lists of a profile are turned each by itself, and the address keeps where each one is', async () => {
    const { world } = portal
    const person = await portal.person({ role: 'viewer' })
    await sql`
      insert into audit (actor_user_id, actor, action, at)
      select ${person.userId}, 'user', 'password.change', now() - n * interval '1 day' from generate_series(1, 21) n`.execute(
      world.database,
    )
    await sql`
      insert into sessions (id_hash, user_id, started_at, seen_at, proved_at, generation, agent)
      select sha256(gen_random_uuid()::text::bytea), user_id, now() - n * interval '1 minute', now(), now(), generation, 'Browser ' || n
      from sessions, generate_series(1, 50) n where user_id = ${person.userId}`.execute(world.database)
    const tab = await portal.tab(person)
    const { page } = tab
    await open(tab, '/app/profile', 'Your profile')
    const [sessions, done] = ['Where you are signed in', 'What you did'].map((name) =>
      page.getByRole('region', { name }),
    )
    if (!sessions || !done) throw new Error('A profile has both lists.')
    const rows = (list: typeof done) => list.getByRole('row').count()
    expect([await rows(sessions), await rows(done)]).toEqual([51, 21])
    await done
      .getByText(/^\w+ \d+, \d+, \d+:\d\d\s[AP]M$/)
      .first()
      .waitFor()
    await done.getByRole('button', { name: 'Older' }).click()
    await done.getByRole('button', { name: 'Newest' }).waitFor()
    expect([await rows(sessions), await rows(done)]).toEqual([51, 2])
    await sessions.getByRole('button', { name: 'Older' }).click()
    await sessions.getByRole('button', { name: 'Newest' }).waitFor()
    await page.reload()
    await sessions.getByRole('button', { name: 'Newest' }).waitFor()
    expect([await rows(sessions), await rows(done)]).toEqual([2, 2])
    await done.getByRole('button', { name: 'Newest' }).click()
    await done.getByRole('button', { name: 'Older' }).waitFor()
    expect([await rows(sessions), await rows(done)]).toEqual([2, 21])
    await tab.close()
  })

  longTest(
    'a viewer changes name and password, ends an API token, signs out another browser, and then all of them',
    async () => {
      const { member, organisationId } = await anOrganization('Quarry')
      const viewer = await member('viewer', true)
      // As a program that logged in with the credential would have one.
      const { deps } = await workerGround()
      const claims = { userId: viewer.userId, organisationId, secretVersion: 1, generation: 0 }
      const { token } = await deps.bearerTokens.issue(claims)
      const stores = () => fetch(at('/v2/stores'), { headers: { authorization: `Bearer ${token}` } })
      expect((await stores()).status).toBe(200)
      const other = await portal.tab()
      await other.page.goto(at('/app/profile'))
      await signIn(other, viewer.email, password)
      await heading(other, 'Your profile')
      const tab = await portal.tab(viewer, /422/)
      const { page } = tab
      await open(tab, '/app/profile', 'Your profile')
      await page.getByText('Sees everything, changes nothing.').waitFor()
      await sound(tab, 'profile')

      await page.getByLabel('First name').fill('Vera')
      await page.getByRole('button', { name: 'Save the name' }).click()
      await page.getByText('Vera Reed').first().waitFor()
      await page.getByText('Your name is changed.').waitFor()
      expect(await page.locator(':focus').innerText()).toBe('Save the name')

      await page.getByRole('button', { name: 'Sign out: Chrome on Linux', exact: true }).click()
      const end = page.getByRole('dialog', { name: 'Sign out Chrome on Linux?' })
      await end.getByRole('button', { name: 'Sign out' }).click()
      await end.waitFor({ state: 'hidden' })
      await other.page.reload()
      await heading(other, 'Sign in')

      await page.getByRole('button', { name: /^End: token for Quarry/ }).click()
      await page.getByRole('button', { name: 'End the token' }).click()
      await page.getByText('No program has logged in as you').waitFor()
      expect((await stores()).status).toBe(401)

      await page.getByLabel('Current password').fill('not my password')
      await page.getByLabel('New password').fill(newPassword)
      await page.getByRole('button', { name: 'Change the password' }).click()
      await page.getByText('Is not the current password.').waitFor()
      await page.locator(':focus').and(page.getByLabel('Current password')).waitFor()
      await sound(tab, 'profile-refused')
      await page.getByLabel('Current password').fill(password)
      await page.getByRole('button', { name: 'Change the password' }).click()
      await page.getByText('Your password is changed. 0 other browsers were signed out.').waitFor()
      await page.getByRole('cell', { name: /Vera Reed changed the password/ }).waitFor()

      await page.getByRole('button', { name: 'Sign out everywhere' }).click()
      const all = page.getByRole('dialog', { name: 'Sign out everywhere?' })
      await all.getByRole('button', { name: 'Sign out everywhere' }).click()
      await heading(tab, 'Sign in')
      await signIn(tab, viewer.email, newPassword)
      await heading(tab, 'Your profile')
      for (const one of [tab, other]) await one.close()
    },
  )
})
