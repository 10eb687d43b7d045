import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumMissing, findChromium } from '../harness/chromium.ts'
import { longTest } from '../harness/long-form.ts'
import { type Person, type Portal, password, startPortal } from './a-portal.ts'
import { expectSound } from './a-tab.ts'

describe.skipIf(!findChromium())(findChromium() ? 'the portal in a browser' : chromiumMissing, () => {
  let portal: Portal
  let owner: Person
  beforeAll(async () => {
    portal = await startPortal({ entities: ['brands'] })
    owner = await portal.person({ role: 'owner' })
  }, 300_000)
  afterAll(() => portal?.stop())

  const errorOf = async (answer: Response) => ((await answer.json()) as { error: string }).error
  const at = (path: string) => `${portal.world.url}${path}`

  test('a person who opens the host signs in, arrives at Home, and signs out', async () => {
    const person = await portal.person({ role: 'owner', withPassword: true })
    const tab = await portal.tab()
    const { page } = tab
    await page.goto(at('/'))
    // The browser may still show the first address of several when it has loaded the page.
    await page.waitForURL(at('/app/sign-in?return_to=%2Fapp'))
    await expectSound(tab, 'sign-in')
    await page.getByLabel(/e-?mail/i).fill(person.email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    expect(page.url()).toBe(at('/app'))
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    expect(tab.complaints).toEqual([])
    await tab.close()
  })

  longTest('Home says where one is, and the menu of a narrow screen has what the rail has', async () => {
    const tab = await portal.tab(owner)
    const { page } = tab
    await page.goto(at('/app'))
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    expect(await page.title()).toBe('Home - Storeferry')
    await expectSound(tab, 'home')
    await page.setViewportSize({ width: 360, height: 800 })
    await page.getByRole('button', { name: 'Menu' }).click()
    const menu = page.getByRole('dialog', { name: 'Menu' })
    await menu.getByRole('link', { name: 'Home' }).waitFor()
    await expectSound(tab, 'menu')
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'hidden' })
    await tab.close()
  })

  test('an address without a screen says so below the rail, and on a page of the server outside of the portal', async () => {
    const tab = await portal.tab(owner, /404/)
    const { page } = tab
    await page.goto(at('/app/nothing/here'))
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
    await expectSound(tab, 'no screen')
    await page.goto(at('/nothing-here'))
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
    await expectSound(tab, 'no page')
    await tab.close()
  })

  test('the content policy allows styles by a nonce that no two answers share, and no inline code', async () => {
    const ask = async () => {
      const answer = await fetch(at('/app'), { headers: { cookie: owner.cookie, accept: 'text/html' } })
      const policy = answer.headers.get('content-security-policy') ?? ''
      const nonce = /'nonce-([\w+/=]{24})'/.exec(policy)?.[1] ?? ''
      expect(await answer.text()).toContain(`<meta property="csp-nonce" nonce="${nonce}" />`)
      expect(answer.headers.get('cache-control')).toBe('no-store')
      return { policy, nonce }
    }
    const [first, second] = [await ask(), await ask()]
    expect(first.nonce).not.toBe(second.nonce)
    expect(first.policy).not.toContain('unsafe')
    expect(first.policy).toContain("script-src 'self';")
    expect(first.policy).toContain("style-src-attr 'none'")
  })

  test('built files are compressed and kept for a year, and one that is not there is no page', async () => {
    const index = await (await fetch(at('/app'), { headers: { cookie: owner.cookie, accept: 'text/html' } })).text()
    const script = /src="(\/app\/assets\/[^"]+)"/.exec(index)?.[1] ?? ''
    const headers = { accept: 'text/html', cookie: owner.cookie }
    const answer = await fetch(at(script), { headers: { ...headers, 'accept-encoding': 'gzip, br' } })
    expect(answer.headers.get('content-encoding')).toBe('br')
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(await answer.text()).toContain('import')
    const plain = await fetch(at(script), { headers: { ...headers, 'accept-encoding': 'identity' } })
    expect(plain.headers.get('content-encoding')).toBeNull()
    for (const file of ['gone-00000000.js', '..%2fbuild.json', 'index.html']) {
      const missing = await fetch(at(`/app/assets/${file}`), { headers })
      expect([file, missing.status, await errorOf(missing)]).toEqual([file, 404, 'not_found'])
    }
    expect((await fetch(at('/app/fonts/latin.woff2'))).headers.get('content-type')).toBe('font/woff2')
    expect((await fetch(at('/favicon.ico'))).headers.get('content-type')).toBe('image/svg+xml')
  })

  test('programs get JSON where people get pages', async () => {
    for (const path of ['/', '/app', '/app/nothing', '/admin', '/admin/api/nothing', '/nothing']) {
      const answer = await fetch(at(path), { redirect: 'manual', headers: { accept: '*/*' } })
      expect([path, answer.status, await errorOf(answer)]).toEqual([path, 404, 'not_found'])
    }
    const post = await fetch(at('/app'), { method: 'POST' })
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  longTest('a session that ended is reported once, and the screen stays', async () => {
    const tab = await portal.tab(owner, /401/)
    const { page } = tab
    await page.goto(at('/app'))
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    await page.context().clearCookies()
    await page.clock.install()
    const loadAgain = async () => {
      const refused = page.waitForResponse((response) => response.status() === 401)
      await page.clock.fastForward(120_000)
      await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))")
      await refused
    }
    await loadAgain()
    const dialog = page.getByRole('dialog', { name: 'You have been signed out' })
    await dialog.waitFor()
    await expectSound(tab, 'signed out')
    expect(await page.getByRole('link', { name: 'Sign in' }).getAttribute('target')).toBe('_blank')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await loadAgain()
    await page.evaluate('new Promise(requestAnimationFrame)')
    expect(await dialog.count()).toBe(0)
    await tab.close()
  })

  longTest(
    'signed out while typing, a person signs in again in a new tab and continues with what was typed',
    async () => {
      const person = await portal.person({ role: 'owner', withPassword: true })
      const other = await portal.person({ role: 'owner', withPassword: true })
      const tab = await portal.tab(person, /401/)
      const { page } = tab
      const signedOut = page.getByRole('dialog', { name: 'You have been signed out' })
      const signInAs = async ({ email }: Person) => {
        await signedOut.getByText(/^Signing in opens a new tab\./).waitFor()
        const opened = page.context().waitForEvent('page')
        await signedOut.getByRole('link', { name: 'Sign in' }).click()
        const signIn = await opened
        await signIn.getByLabel(/e-?mail/i).fill(email)
        await signIn.getByLabel('Password').fill(password)
        await signIn.getByRole('button', { name: 'Sign in' }).click()
        await signIn.getByRole('heading', { level: 1, name: 'You are signed in' }).waitFor()
        await signIn.close()
      }
      await page.goto(at('/app/members'))
      await page.getByRole('button', { name: 'Invite a member' }).click()
      const form = page.getByRole('dialog', { name: 'Invite a member' })
      await form.getByLabel('First name').fill('Hal')
      await form.getByLabel('Last name').fill('Dent')
      await form.getByLabel('Email').fill(`hal.${person.userId}@shop.example`)
      await page.context().clearCookies()
      await form.getByRole('button', { name: 'Invite' }).click()
      await signInAs(person)
      await signedOut.waitFor({ state: 'hidden' })
      expect(await form.getByLabel('Last name').inputValue()).toBe('Dent')
      await form.getByRole('button', { name: 'Invite' }).click()
      await page.getByText(`Invitation for hal.${person.userId}@shop.example`).waitFor()
      await page.getByRole('button', { name: 'I stored it' }).click()

      await page.getByRole('button', { name: 'Invite a member' }).click()
      await form.getByLabel('First name').fill('Zaphod')
      await page.context().clearCookies()
      await form.getByRole('button', { name: 'Invite' }).click()
      await signInAs(other)
      await page.getByRole('complementary').getByText(other.email).waitFor()
      expect(await form.count()).toBe(0)
      expect(tab.complaints).toEqual([])
      await tab.close()
    },
  )

  test('how long ago something was grows while the screen is open', async () => {
    const tab = await portal.tab(owner)
    const { page } = tab
    await page.clock.install()
    await page.goto(at('/app/profile'))
    const session = page.getByRole('table', { name: 'Your sessions, newest first' }).getByRole('row').last()
    await session
      .getByText(/^(just now|1 minute ago)$/)
      .first()
      .waitFor()
    // What was loaded becomes old after a while, and the screen is rendered anew once.
    await page.clock.runFor(2 * 60_000)
    await page.clock.fastForward(20 * 60_000)
    await session
      .getByText(/^2[23] minutes ago$/)
      .first()
      .waitFor()
    await tab.close()
  })

  longTest('without a connection the tab says so', async () => {
    const tab = await portal.tab(owner)
    const { page } = tab
    await page.goto(at('/app'))
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    await page.context().setOffline(true)
    await page.getByText('You are offline. Migrations go on without you.').waitFor()
    await expectSound(tab, 'offline')
    await tab.close()
  })

  longTest('a form whose answer never comes says so, keeps what was typed, and can be sent again', async () => {
    const tab = await portal.tab(owner)
    const { page } = tab
    await page.goto(at('/app/members'))
    await page.getByRole('button', { name: 'Invite a member' }).click()
    const form = page.getByRole('dialog', { name: 'Invite a member' })
    await form.getByLabel('First name').fill('Hal')
    await form.getByLabel('Last name').fill('Dent')
    await form.getByLabel('Email').fill(`hal.lost.${owner.userId}@shop.example`)
    // A minute passes in a second.
    await page.evaluate(
      'globalThis.timeout = AbortSignal.timeout; AbortSignal.timeout = (ms) => timeout.call(AbortSignal, ms / 60)',
    )
    await page.route('**/v2/members', () => undefined)
    await form.getByRole('button', { name: 'Invite' }).click()
    await form.getByText('The service does not answer. Check your connection, then try again.').waitFor()
    expect(await form.getByLabel('Last name').inputValue()).toBe('Dent')
    await page.evaluate('AbortSignal.timeout = timeout')
    await page.unroute('**/v2/members')
    await form.getByRole('button', { name: 'Invite' }).click()
    await page.getByText(`Invitation for hal.lost.${owner.userId}@shop.example`).waitFor()
    expect(tab.complaints).toEqual([])
    await tab.close()
  })

  longTest('a screen that cannot be refreshed stays, says since when it is, and is refreshed by a click', async () => {
    const tab = await portal.tab(owner, /500/)
    const { page } = tab
    await page.goto(at('/app/stores'))
    await page.getByRole('heading', { level: 1, name: 'Stores' }).waitFor()
    const fault = { status: 500, contentType: 'application/json', body: '{"error":"internal_error","message":"x"}' }
    await page.route('**/v2/stores', (route) => route.fulfill(fault))
    await page.clock.install()
    await page.clock.fastForward(120_000)
    await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))")
    await page.getByText(/^Could not refresh\. Showing \d+:\d\d [AP]M\./).waitFor()
    await page.getByRole('heading', { level: 1, name: 'Stores' }).waitFor()
    await expectSound(tab, 'stale')
    // The next day, it does not look like a time of that day.
    await page.clock.fastForward(24 * 3_600_000)
    await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))")
    await page.getByText(/^Could not refresh\. Showing \w+ \d+, \d+, \d+:\d\d [AP]M\./).waitFor()
    // Or the screen might refresh itself before the click.
    await page.clock.pauseAt(Date.now() + 48 * 3_600_000)
    await page.unroute('**/v2/stores')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText(/^Could not refresh/).waitFor({ state: 'hidden' })
    await tab.close()
  })

  longTest('a fault of the service shows its reference and leaves a way to try again', async () => {
    const tab = await portal.tab(owner, /500/)
    const { page } = tab
    const body = JSON.stringify({ error: 'internal_error', message: 'Something went wrong on our side.' })
    const headers = { 'x-request-id': '7f3c0000' }
    await page.route('**/v2/session', (route) =>
      route.fulfill({ status: 500, contentType: 'application/json', headers, body }),
    )
    await page.goto(at('/app'))
    await page.getByRole('heading', { level: 1, name: 'Something broke on our side' }).waitFor()
    await page.getByText('7f3c0000').waitFor()
    await expectSound(tab, 'fault')
    await page.unroute('**/v2/session')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    await tab.close()
  })

  test('a person without an organization reads whom to ask', async () => {
    const tab = await portal.tab(await portal.person({}))
    await tab.page.goto(at('/app'))
    await tab.page.getByText('You are not a member of any organization').waitFor()
    await expectSound(tab, 'no organization')
    await tab.close()
  })

  test('a link that is not whole says so before a password is typed, also when its page is loaded again', async () => {
    const tab = await portal.tab()
    const { page } = tab
    for (const path of ['/app/reset', '/app/first-administrator', '/app/invitation']) {
      await page.goto(at(path))
      await page.getByText('The address of this page is not complete.').waitFor()
      expect([path, await page.getByRole('button').count()]).toEqual([path, 0])
    }
    await expectSound(tab, 'link-not-whole')
    await page.goto(at(`/app/reset#${'x'.repeat(43)}`))
    await page.getByRole('button', { name: 'Set the new password' }).waitFor()
    await page.reload()
    await page.getByText('The address of this page is not complete.').waitFor()
    await tab.close()
  })

  test('a person who forgot the password reads whom to ask', async () => {
    const tab = await portal.tab()
    await tab.page.goto(at('/app/sign-in'))
    await tab.page.getByRole('link', { name: 'Forgot your password?' }).click()
    await tab.page.getByText('Ask an owner of your organization').waitFor()
    await expectSound(tab, 'forgot')
    await tab.close()
  })
})
