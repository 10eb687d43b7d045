import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { totpCode, totpStepAt } from '../../src/accounts/totp.ts'
import { fromBase32 } from '../harness/base32.ts'
import { chromiumMissing, findChromium } from '../harness/chromium.ts'
import { longTest } from '../harness/long-form.ts'
import { password, withPortal } from './a-portal.ts'
import { expectSound, type Tab } from './a-tab.ts'

describe.skipIf(!findChromium())(findChromium() ? 'the second step in a browser' : chromiumMissing, () => {
  const portal = withPortal({ entities: ['brands'] })

  const heading = ({ page }: Tab, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

  test('S33: a person turns the second step on, keeps the recovery codes, signs in with one, and turns it off', async () => {
    const person = await portal.person({ role: 'owner', withPassword: true })
    const tab = await portal.tab(person, /422/)
    const { page } = tab
    await page.goto(`${portal.world.url}/app/profile`)
    await page.getByRole('button', { name: 'Turn on the second step' }).click()
    const dialog = page.getByRole('dialog', { name: 'Turn on the second step' })
    let sent = 0
    await page.route('**/v2/session/second-step', async (route) => {
      if (route.request().method() === 'POST') sent += 1
      await sleep(500)
      await route.continue()
    })
    await dialog.getByLabel('Password').fill(password)
    for (const key of ['Enter', 'Enter']) await page.keyboard.press(key)
    await page.getByRole('img', { name: 'QR code of the key below' }).waitFor()
    expect(sent).toBe(1)
    const key = (await page.locator('.app-key').textContent()) ?? ''
    await page.getByLabel('Code that the app shows').fill('000000')
    await page.getByRole('button', { name: 'Turn on', exact: true }).click()
    await page.getByText('Is not a code of your app').waitFor()
    await page.locator(':focus').and(page.getByLabel('Code that the app shows')).waitFor()
    await expectSound(tab, 'second-step-begun')
    const secret = fromBase32(key.replaceAll(' ', ''))
    await page.getByLabel('Code that the app shows').fill(totpCode(secret, totpStepAt(new Date())))
    const codes: string[] = []
    await page.route('**/v2/session/second-step/*', async (route) => {
      codes.push(route.request().url())
      await sleep(500)
      await route.continue()
    })
    for (const key of ['Enter', 'Enter']) await page.keyboard.press(key)
    const shown = page.getByRole('region', { name: 'Recovery codes' })
    const [first = '', second = ''] = ((await shown.locator('code').textContent()) ?? '').split('\n')
    await page.getByText('10 recovery codes are left.').waitFor()
    expect(codes).toHaveLength(1)
    await expectSound(tab, 'recovery-codes')
    await page.getByRole('button', { name: 'I stored it' }).click()

    const elsewhere = await portal.tab()
    await elsewhere.page.goto(`${portal.world.url}/app/sign-in`)
    await elsewhere.page.getByLabel('Email').fill(person.email)
    await elsewhere.page.getByLabel('Password').fill(password)
    await elsewhere.page.getByRole('button', { name: 'Sign in' }).click()
    await heading(elsewhere, 'Enter your code')
    await expectSound(elsewhere, 'sign-in-code')
    await elsewhere.page.getByLabel('Code of your authenticator app').fill(first)
    await elsewhere.page.getByRole('button', { name: 'Sign in' }).click()
    await heading(elsewhere, 'Home')

    await page.reload()
    await page.getByText('9 recovery codes are left.').waitFor()
    await page.getByRole('button', { name: 'Turn off the second step' }).click()
    const off = page.getByRole('dialog', { name: 'Turn off the second step' })
    await off.getByLabel('Code of your app').fill(second)
    await off.getByRole('button', { name: 'Turn off' }).click()
    await page.getByText('Off: the password is enough').waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }, 120_000)

  longTest(
    'S14: what takes the password again asks for it above the form, which then goes on',
    async () => {
      const person = await portal.person({ role: 'owner', withPassword: true })
      const tab = await portal.tab(person, /403|422/)
      const { page } = tab
      await page.goto(`${portal.world.url}/app/members`)
      await heading(tab, 'Members')
      await sql`update sessions set proved_at = now() - interval '16 minutes' where user_id = ${person.userId}`.execute(
        portal.world.database,
      )
      await page.getByRole('button', { name: 'Invite a member' }).click()
      const form = page.getByRole('dialog', { name: 'Invite a member' })
      await form.getByLabel('First name').fill('Mary')
      await form.getByLabel('Last name').fill('Shelley')
      await form.getByLabel(/e-?mail/i).fill('mary.again@shop.example')
      await form.getByRole('button', { name: 'Invite' }).click()
      const proof = page.getByRole('dialog', { name: 'Your password again' })
      await proof.getByRole('button', { name: 'Cancel' }).click()
      await form.getByText('Your password is needed').waitFor()
      await form.getByRole('button', { name: 'Invite' }).click()
      await proof.getByLabel('Password').fill('a wrong password')
      await proof.getByRole('button', { name: 'Continue' }).click()
      await proof.getByText('Is not the current password.').waitFor()
      await expectSound(tab, 'password-again')
      await proof.getByLabel('Password').fill(password)
      await proof.getByRole('button', { name: 'Continue' }).click()
      await page.getByRole('row').filter({ hasText: 'mary.again@shop.example' }).getByText('Invited until').waitFor()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    },
    120_000,
  )

  longTest(
    'S33: an administrator without the second step is shown the way to it',
    async () => {
      const tab = await portal.tab(await portal.person({ administrator: true }))
      const { page } = tab
      // As a service answers that requires it.
      await page.route('**/v2/session', async (route) => {
        const answer = await route.fetch()
        await route.fulfill({ response: answer, json: { ...(await answer.json()), secondStepMissing: true } })
      })
      await page.goto(`${portal.world.url}/admin/organizations`)
      await heading(tab, 'One more step')
      await expectSound(tab, 'second-step-missing')
      await page.getByRole('link', { name: 'Go to your profile' }).click()
      await heading(tab, 'Your profile')
    },
    120_000,
  )
})
