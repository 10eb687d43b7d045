import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runSettings } from '../../src/contract/create-migration.ts'
import type { MigrationStatus } from '../../src/contract/status.ts'
import { bodyOf } from '../../src/notifications/message.ts'
import { chromiumMissing, findChromium } from '../harness/chromium.ts'
import { longTest } from '../harness/long-form.ts'
import { until } from '../harness/until.ts'
import { type Person, type Portal, password, startPortal } from './a-portal.ts'
import { expectSound, startBrowser, type Tab } from './a-tab.ts'

describe.skipIf(!findChromium())(findChromium() ? 'migrations in a browser' : chromiumMissing, () => {
  let browser: Browser
  let portal: Portal
  let owner: Person
  beforeAll(async () => {
    browser = await startBrowser()
  }, 300_000)
  afterAll(() => browser?.close())
  beforeEach(async () => {
    portal = await startPortal({ entities: ['categories', 'brands'], requestTimeoutSeconds: 60 }, browser)
    owner = await portal.person({ role: 'owner' })
  }, 300_000)
  afterEach(() => portal?.stop())

  const at = (path: string) => `${portal.world.url}${path}`
  /** Seven copies, the first of them the newest. */
  const manyCopies = (status: MigrationStatus, name: string) => {
    const [source, destination] = [portal.world.address('source').hash, portal.world.address('destination').hash]
    const settings = JSON.stringify(runSettings.parse({ source, destination }))
    return sql`insert into runs (id, organisation_id, source_store_id, destination_store_id, mode, conflict_strategy, auto_heal,
        settings, selective, phases, status, tier, mem_mib, cpus, label, created_at)
      select gen_random_uuid(), src.organisation_id, src.id, dst.id, 'full', 'skip', true, ${settings}, false, '[]', ${status},
        'small', 512, 1, ${name}::text || ' ' || n, now() - n * interval '1 hour'
      from generate_series(1, 7) n, stores src join stores dst
        on dst.organisation_id = src.organisation_id and dst.hash = ${destination}
      where src.organisation_id = ${portal.world.organisationId} and src.hash = ${source}
    `.execute(portal.world.database)
  }
  const heading = ({ page }: Tab, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
  const open = async (tab: Tab, path: string, title: string) => {
    await tab.page.goto(at(path))
    await heading(tab, title)
  }

  longTest('an organization without migrations reads how to begin, on Home and in the list', async () => {
    const other = await portal.world.anotherOrganisation('Newcomers', [])
    const tab = await portal.tab(await portal.person({ role: 'owner', organizationId: other.organisationId }))
    await open(tab, '/app', 'Home')
    await tab.page.getByText('Your first migration').waitFor()
    await expectSound(tab, 'home-empty')
    await open(tab, '/app/migrations', 'Migrations')
    await tab.page.getByText('No migrations yet').waitFor()
    await expectSound(tab, 'migrations-empty')
    await tab.close()
  })

  test('a copy is followed without reloading: running, paused by a click, resumed, done', async () => {
    const { world } = portal
    await world.fault('destination', { kind: 'hold_after_applying', method: 'POST', path: 'categories', times: 1 })
    const id = await world.migrate({ label: 'Spring copy' })
    await until('the copy is held', async () => (await world.faults('destination')).some(({ hits }) => hits > 0))
    const tab = await portal.tab(owner)
    const { page } = tab
    await open(tab, `/app/migrations/${id}`, 'Spring copy')
    await page.getByText('Copying', { exact: true }).first().waitFor()
    await page.getByText('Working out how long it takes.').waitFor()
    await expectSound(tab, 'migration-running')
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('region', { name: 'Progress' }).getByText('Pausing after the present item.').waitFor()
    await page.getByText('Pause: It is being paused.').waitFor()
    // From then on no write starts (A7). Released earlier, so small a copy could end before it is paused.
    await sleep(1_000)
    await world.release('destination')
    await page.getByText('Paused', { exact: true }).waitFor()
    await page.getByText('Pause: It is paused.').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Keep it as it is' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.evaluate('document.activeElement.innerText')).toBe('Cancel')
    await expectSound(tab, 'migration-paused')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('link', { name: 'Activity' }).click()
    const activity = page.getByRole('table', { name: 'Activity, newest first' })
    await activity.getByText('Asked to pause').waitFor()
    const sent: string[] = []
    page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`))
    await page.getByRole('button', { name: 'Resume' }).dblclick()
    await page.getByText('Pause, Resume, Cancel: It has ended.').waitFor()
    await activity.getByText('Done', { exact: true }).waitFor()
    await activity.getByText('Resumed').waitFor()
    // The second would have been refused, because it was running by then.
    expect(sent.filter((one) => one.startsWith('POST'))).toEqual([`POST /v2/migrations/${id}/resume`])
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByText('Done', { exact: true }).waitFor()
    const detail = await world.detail(id)
    await page
      .getByRole('list', { name: 'Items' })
      .getByText(/copied/)
      .waitFor()
    expect(await page.getByRole('status').allInnerTexts()).toContain(detail.summaryLine)
    await page.locator('summary').filter({ hasText: 'Brands' }).click()
    await page.getByRole('table', { name: 'Parts of Brands' }).waitFor()
    await expectSound(tab, 'migration-done')
    await tab.close()
  })

  test('a copy that waits for a store says so, since when, and no time that is left', async () => {
    const { world } = portal
    await world.fault('destination', { kind: 'hold_after_applying', method: 'POST', path: 'categories', times: 1 })
    const id = await world.migrate({ label: 'Spring copy' })
    await until('the copy is held', async () => (await world.faults('destination')).some(({ hits }) => hits > 0))
    const tab = await portal.tab(owner)
    const { page } = tab
    await open(tab, `/app/migrations/${id}`, 'Spring copy')
    const progress = page.getByRole('region', { name: 'Progress' })
    await progress.getByText('Working out how long it takes.').waitFor()
    await sql`update runs set waiting_for = 'destination', waiting_store = ${world.address('destination').hash},
      waiting_since = now() - interval '5 minutes', next_try_at = now() + interval '1 minute' where id = ${id}`.execute(
      world.database,
    )
    await progress.getByText('It waits for the store it copies to').waitFor()
    await progress.getByText('Since 5 minutes ago. It goes on by itself.').waitFor()
    expect(await progress.getByText('Working out how long it takes.').count()).toBe(0)
    await expectSound(tab, 'migration-waits')
    await sql`update runs set waiting_for = null, waiting_store = null, waiting_since = null, next_try_at = null
      where id = ${id}`.execute(world.database)
    await progress.getByText('It waits for the store it copies to').waitFor({ state: 'detached' })
    await world.release('destination')
    await page.getByText('Done', { exact: true }).waitFor()
    await tab.close()
  })

  test('a copy whose turn has not come says what it waits for, and what is before it', async () => {
    const { world } = portal
    await world.fault('destination', { kind: 'hold_after_applying', method: 'POST', path: 'categories', times: 1 })
    const first = await world.migrate({ label: 'Spring copy' })
    await until('the copy is held', async () => (await world.faults('destination')).some(({ hits }) => hits > 0))
    const second = await world.migrate({ label: 'Summer copy' })
    const third = await world.migrate({ label: 'Autumn copy' })
    const tab = await portal.tab(await portal.person({ role: 'viewer' }))
    const { page } = tab
    await open(tab, '/app', 'Home')
    const underWay = page.getByRole('region', { name: 'Running and waiting' })
    for (const label of ['Spring copy', 'Summer copy', 'Autumn copy'])
      await underWay.getByRole('link', { name: label }).waitFor()
    const progress = page.getByRole('region', { name: 'Progress' })
    await open(tab, `/app/migrations/${third}`, 'Autumn copy')
    await progress
      .getByText(
        'Another migration uses the store it copies to. It is Spring copy. 1 migration of your organization was asked for before. It starts by itself when its turn comes.',
      )
      .waitFor()
    await expectSound(tab, 'migration-queued')
    await page.setViewportSize({ width: 1440, height: 900 })
    await world.api('POST', `/v2/migrations/${second}/cancel`)
    await progress.getByText('It is Spring copy. It starts by itself when its turn comes.').waitFor()
    await progress.getByRole('link', { name: 'Spring copy' }).click()
    await heading(tab, 'Spring copy')
    await world.release('destination')
    await world.finished(first)
    await page.goBack()
    await heading(tab, 'Autumn copy')
    await page.getByText('Done', { exact: true }).first().waitFor()
    expect(await progress.getByText('Why it waits').count()).toBe(0)
    await tab.close()
  })

  longTest('the settings of a migration are copied as a line that starts the same again', async () => {
    const { world } = portal
    const choices = { label: "Olive's copy & $HOME", mode: 'dry-run', conflictStrategy: 'update', entities: ['brands'] }
    const { requestId: id } = await world.complete(choices)
    const tab = await portal.tab(owner)
    const { page } = tab
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await open(tab, `/app/migrations/${id}/settings`, choices.label)
    await page.getByRole('button', { name: 'Copy as curl' }).click()
    const line = await page.evaluate<string>('navigator.clipboard.readText()')
    const login = await fetch(at('/v2/login'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(world.identity),
    })
    const { access_token: token } = (await login.json()) as { access_token: string }
    const env = { ...process.env, STOREFERRY_TOKEN: token }
    const { stdout } = await promisify(execFile)('sh', ['-c', line], { encoding: 'utf8', env })
    const { requestId: again } = JSON.parse(stdout)
    const settingsOf = async (one: string) => (await world.api('GET', `/v2/migrations/${one}/request`)).body
    expect(await settingsOf(again)).toMatchObject({
      settings: ((await settingsOf(id)) as { settings: object }).settings,
    })
    await world.finished(again)
    await tab.close()
  })

  longTest('the page of a trial run that has ended says how long the copy would take', async () => {
    const { requestId: id } = await portal.world.complete({ label: 'Trial run of spring', mode: 'dry-run' })
    const tab = await portal.tab(owner)
    await open(tab, `/app/migrations/${id}`, 'Trial run of spring')
    const copy = tab.page.getByRole('region', { name: 'What the copy would take' })
    await copy.getByText('about a minute', { exact: true }).waitFor()
    await copy.getByText(/^The copy itself, not this trial run: \d+ calls? to read the source, \d+/).waitFor()
    await expectSound(tab, 'trial-ended')
    await tab.close()
  })

  longTest('what needs review is tried again after a question, and then compared', async () => {
    const { world } = portal
    const [brand] = (await world.state('source')).brands ?? []
    const fault = { kind: 'error_before_applying', status: 422, path: 'brands', times: null } as const
    await world.change('source', {
      op: 'set',
      table: 'brands',
      id: brand?.id ?? 0,
      fields: { name: '<b>Lampé</b> مصباح' },
    })
    await world.fault('destination', { ...fault, body: 'Lamp' })
    const copied = await world.complete({ label: 'Autumn copy', autoHeal: false, conflictStrategy: 'update' })
    const tab = await portal.tab(owner)
    const { page } = tab
    await open(tab, '/app', 'Home')
    await page.getByRole('region', { name: 'Needs you' }).getByRole('link', { name: 'Autumn copy' }).click()
    await heading(tab, 'Autumn copy')
    await page.getByText('Done, needs review').first().waitFor()
    await expectSound(tab, 'migration-review')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('link', { name: 'Issues 1' }).click()
    const cause = page.getByRole('region', { name: 'BigCommerce refused the item 1' })
    await cause.getByText('Correct the item in the source store').waitFor()
    await expectSound(tab, 'issues')
    await page.setViewportSize({ width: 1440, height: 900 })
    await cause.getByRole('link', { name: '<b>Lampé</b> مصباح' }).click()
    const drawer = page.getByRole('dialog', { name: '<b>Lampé</b> مصباح' })
    await drawer.getByRole('heading', { name: 'What BigCommerce said' }).waitFor()
    await drawer.getByText('answered 422.').waitFor()
    await expectSound(tab, 'issue')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
    await page.getByRole('link', { name: /^Good to know/ }).click()
    await page.getByRole('searchbox').fill('no issue says this')
    await page.getByText('Nothing matches', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Overview' }).click()
    await world.clearFaults('destination')
    await page.getByRole('region', { name: 'Controls' }).getByRole('button', { name: 'Try failed items again' }).click()
    const question = page.getByRole('dialog', { name: 'Try failed items again?' })
    await question.getByText('Tries 1 open item again and nothing else.').waitFor()
    await expectSound(tab, 'try-again')
    await question.getByRole('button', { name: 'Try again' }).click()
    await question.waitFor({ state: 'hidden' })
    await page.getByText('Done', { exact: true }).waitFor()
    expect((await world.detail(copied.requestId)).failuresOpen).toBe(0)
    await page.getByRole('button', { name: 'Compare' }).click()
    const compare = page.getByRole('dialog', { name: 'Compare the two stores?' })
    await compare.getByRole('button', { name: 'Compare' }).click()
    await page.waitForURL((url) => !url.pathname.endsWith(copied.requestId))
    await page
      .getByText(/^Compared /)
      .first()
      .waitFor()
    await tab.close()
  })

  longTest(
    'an issue that is accepted as it is counts as settled, and a viewer reads that viewers accept none',
    async () => {
      const { world } = portal
      const [brand] = (await world.state('source')).brands ?? []
      const body = String(brand?.name)
      await world.fault('destination', {
        kind: 'error_before_applying',
        status: 422,
        path: 'brands',
        times: null,
        body,
      })
      const { requestId } = await world.complete({ label: 'Late copy', autoHeal: false, entities: ['brands'] })
      await sql`update runs set finished_at = finished_at - interval '2 days' where id = ${requestId}`.execute(
        world.database,
      )
      const viewer = await portal.tab(await portal.person({ role: 'viewer' }))
      await open(viewer, `/app/migrations/${requestId}/issues`, 'Late copy')
      await viewer.page
        .getByText('Viewers cannot start, change or sign migrations. Ask an owner or operator.')
        .first()
        .waitFor()
      await viewer.close()
      const tab = await portal.tab(owner)
      const { page } = tab
      const summaries = new Set<string>()
      page.on('request', (request) => {
        if (request.url().includes('/issues/summary')) summaries.add(request.url())
      })
      await open(tab, `/app/migrations/${requestId}/issues`, 'Late copy')
      await page.getByRole('link', { name: 'Needs review 1' }).waitFor()
      await page.getByRole('link', { name: 'Solved 0' }).waitFor()
      await page.getByText('Keys: j next, k previous, a accept, r try again.').waitFor()
      expect([...summaries]).toHaveLength(3)
      await page
        .getByRole('button', { name: `Accept as is: ${body}` })
        .first()
        .click()
      const question = page.getByRole('dialog', { name: `Accept ${body} as it is?` })
      await question.getByText('Neither store is changed.').waitFor()
      await question.getByLabel('Reason (optional)').fill('We sell it no more.')
      await question.getByRole('button', { name: 'Accept as is' }).click()
      await question.waitFor({ state: 'hidden' })
      await page.getByText('Nothing needs review', { exact: true }).waitFor()
      expect((await world.detail(requestId)).failuresOpen).toBe(0)
      await page.getByRole('link', { name: 'Accepted as they are 1' }).click()
      await page.getByText('Keys: j next, k previous.').waitFor()
      await page.getByRole('article').filter({ hasText: body }).getByText('Accepted: We sell it no more.').waitFor()
      await open(tab, `/app/migrations/${requestId}/report`, 'Report: Late copy')
      await page
        .getByRole('region', { name: 'Accepted as it is' })
        .getByRole('listitem')
        .filter({ hasText: body })
        .getByText('Reason: We sell it no more.')
        .waitFor()
      const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' }).format(Date.now() - 2 * 86_400_000)
      const ended = page.locator('dt', { hasText: /^Ended$/ }).locator('+ dd')
      expect(await ended.innerText()).toContain(day)
      await tab.close()
    },
  )

  longTest(
    'the question about an issue says that it is the last one, also if another tab accepted the others',
    async () => {
      const { world } = portal
      await world.fault('destination', {
        kind: 'error_before_applying',
        status: 422,
        method: 'POST',
        path: 'brands',
        times: null,
      })
      const { requestId } = await world.complete({ label: 'Late copy', autoHeal: false, entities: ['brands'] })
      const { body } = await world.api<{ items: { id: string; item: { name: string } }[] }>(
        'GET',
        `/v2/migrations/${requestId}/issues?severity=failure&state=open`,
      )
      const [last, ...others] = body.items
      expect(others.length).toBeGreaterThan(0)
      const tab = await portal.tab(owner)
      const { page } = tab
      await open(tab, `/app/migrations/${requestId}/issues`, 'Late copy')
      const accept = page.getByRole('button', { name: `Accept as is: ${last?.item.name}` }).first()
      await accept.waitFor()
      await world.api('POST', `/v2/migrations/${requestId}/issues/dismiss`, { ids: others.map(({ id }) => id) })
      await accept.click()
      const question = page.getByRole('dialog', { name: `Accept ${last?.item.name} as it is?` })
      await question.getByText('Nothing else needs review: the migration is then done').waitFor()
      await tab.close()
    },
  )

  longTest('while a trial run or a copy is under way, Home leads to it and does not offer another one', async () => {
    const { world } = portal
    const tab = await portal.tab(owner)
    const steps = tab.page.getByRole('region', { name: 'Next steps' })
    for (const [mode, follow, next] of [
      ['dry-run', 'Follow the trial run', 'Now copy for real'],
      ['full', 'Follow the copy', 'Open the copy'],
    ] as const) {
      await world.fault('source', { kind: 'hold_after_applying', method: 'GET', path: 'brands', times: 1 })
      const id = await world.migrate({ mode, label: 'Winter copy', entities: ['brands'] })
      await until(`the ${mode} is held`, async () => (await world.faults('source')).some(({ hits }) => hits > 0))
      await open(tab, '/app', 'Home')
      await steps.getByRole('link', { name: follow }).waitFor()
      expect(await steps.getByRole('link').allInnerTexts()).toEqual([follow])
      await expectSound(tab, `home-${mode}-under-way`)
      await steps.getByRole('link', { name: follow }).click()
      await heading(tab, 'Winter copy')
      await world.release('source')
      await world.finished(id)
      await world.clearFaults('source')
      await tab.page.getByText('Done', { exact: true }).waitFor()
      await tab.page
        .getByRole('list', { name: 'Items' })
        .getByRole('link', { name: /copied$/ })
        .click()
      await tab.page.waitForURL(`**/${id}/${mode === 'full' ? 'changes?show=new' : 'differences?kind=missing'}`)
      await open(tab, '/app', 'Home')
      await steps.getByRole('link', { name: next }).waitFor()
    }
    await tab.close()
  })

  longTest('Home that is left open says when a migration has come to need review', async () => {
    const { world } = portal
    const refusal = { kind: 'error_before_applying', status: 422, method: 'POST', path: 'brands', times: null } as const
    await world.fault('destination', refusal)
    await world.fault('source', { kind: 'hold_after_applying', method: 'GET', path: 'brands', times: 1 })
    await world.migrate({ label: 'Winter copy', autoHeal: false, entities: ['brands'] })
    await until('the copy is held', async () => (await world.faults('source')).some(({ hits }) => hits > 0))
    const tab = await portal.tab(owner)
    const { page } = tab
    const link = (list: string) => page.getByRole('region', { name: list }).getByRole('link', { name: 'Winter copy' })
    await open(tab, '/app', 'Home')
    await link('Latest').waitFor()
    await page.getByText('Nothing needs review.').waitFor()
    await world.release('source')
    await link('Needs you').waitFor()
    await page.getByText('Nothing is running or waiting.').waitFor()
    await tab.close()
  })

  test('Home, which has room for five of a kind, says how many need review, and leads to all of them', async () => {
    await manyCopies('partial_completed', 'Copy')
    const tab = await portal.tab(owner)
    const { page } = tab
    await open(tab, '/app', 'Home')
    const waiting = page.getByRole('region', { name: 'Needs you' })
    await waiting.getByText('There are 7 that need review.').waitFor()
    expect(await page.getByText(/^There are /).count()).toBe(1)
    await expectSound(tab, 'home-more')
    await page.setViewportSize({ width: 1440, height: 900 })
    await waiting.getByRole('link', { name: 'All that need review' }).click()
    await heading(tab, 'Migrations')
    await page.getByRole('link', { name: 'Copy 7' }).waitFor()
    await tab.close()
  })

  test('migrations are found by a store, a person and days, and the address keeps what was chosen', async () => {
    const { database, organisationId } = portal.world
    await manyCopies('completed', 'Copy')
    const colleague = await portal.person({ role: 'operator' })
    const namesake = await portal.person({ role: 'operator' })
    await sql`update users set first_name = 'Hal', last_name = 'Dent'
      where id in (${colleague.userId}, ${namesake.userId})`.execute(database)
    await sql`update runs set created_by = case label when 'Copy 1' then ${colleague.userId}::uuid
      when 'Copy 5' then ${namesake.userId}::uuid else ${owner.userId}::uuid end
      where label in ('Copy 1', 'Copy 2', 'Copy 5')`.execute(database)
    await sql`update runs set created_at = '2026-01-02T12:00:00Z' where label = 'Copy 3'`.execute(database)
    await sql`insert into stores (id, organisation_id, hash, label, token_encrypted)
      values (gen_random_uuid(), ${organisationId}, 'outlet', 'Outlet', '')`.execute(database)
    await sql`update runs set destination_store_id = stores.id from stores
      where stores.hash = 'outlet' and runs.label = 'Copy 4' and runs.organisation_id = stores.organisation_id`.execute(
      database,
    )
    const tab = await portal.tab(owner)
    const { page } = tab
    const choice = (name: string) => page.getByRole('combobox', { name })
    const rows = page.getByRole('table', { name: 'Migrations, newest first' }).getByRole('link')
    const found = async (...names: string[]) => {
      await until(`the list has only ${names}`, async () => String(await rows.allInnerTexts()) === String(names))
      return new URL(page.url()).searchParams
    }
    await open(tab, '/app/migrations', 'Migrations')
    await page
      .getByRole('row', { name: /Copy 1/ })
      .getByText('by Hal Dent')
      .waitFor()
    await choice('Store').selectOption('Outlet')
    expect((await found('Copy 4')).get('store')).toBe('outlet')
    await rows.click()
    await heading(tab, 'Copy 4')
    await page.goBack()
    await found('Copy 4')
    expect(await choice('Store').inputValue()).toBe('outlet')
    await choice('Store').selectOption('All')
    await choice('Created by').selectOption({ label: 'You' })
    expect((await found('Copy 2')).get('by')).toBe(owner.userId)
    await choice('Created by').selectOption({ label: `Hal Dent (${namesake.email})` })
    await found('Copy 5')
    await choice('Created by').selectOption({ label: `Hal Dent (${colleague.email})` })
    await found('Copy 1')
    await page.reload()
    await found('Copy 1')
    await choice('Created by').selectOption('Anyone')
    await page.getByLabel('Created until').fill('2026-01-02')
    await found('Copy 3')
    await page.getByLabel('Created from').focus()
    await page.keyboard.type('01022026', { delay: 50 })
    await page.waitForURL(/from=/)
    await found('Copy 3')
    await page.getByLabel('Created until').fill('2026-01-01')
    await page.getByText('No migration matches').waitFor()
    await expectSound(tab, 'migrations-by-date')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('link', { name: 'Clear filters' }).click()
    await page.getByRole('link', { name: 'Copy 7' }).waitFor()
    await open(tab, `/app/stores/${portal.world.address('destination').hash}`, 'destination')
    await page.getByRole('link', { name: 'All of its migrations' }).click()
    await found('Copy 1', 'Copy 2', 'Copy 5', 'Copy 6', 'Copy 7', 'Copy 3')
    // A store of another organization, or one that was disconnected.
    await open(tab, '/app/migrations?store=unknown', 'Migrations')
    await page.getByRole('link', { name: 'Copy 7' }).waitFor()
    await tab.close()
    // Somebody who does not see the members chooses among the same people, whoever's migrations are shown.
    const operator = await portal.tab(await portal.person({ role: 'operator' }))
    await open(operator, `/app/migrations?by=${colleague.userId}`, 'Migrations')
    const creator = operator.page.getByRole('combobox', { name: 'Created by' })
    expect(await creator.locator('option:checked').innerText()).toBe(`Hal Dent (${colleague.email})`)
    await creator.selectOption({ label: 'Olive Reed' })
    await operator.page.getByRole('link', { name: 'Copy 2' }).waitFor()
    expect(operator.complaints).toEqual([])
    await operator.close()
  })

  test('a migration is renamed, and its page, its activity and the list say so', async () => {
    const { requestId: id } = await portal.world.complete({ label: 'Sprig copy', entities: ['brands'] })
    const tab = await portal.tab(owner)
    const { page } = tab
    await open(tab, '/app/migrations', 'Migrations')
    await page.getByRole('link', { name: 'Sprig copy' }).click()
    await page.getByRole('link', { name: 'Settings' }).click()
    const rename = page.getByRole('button', { name: 'Rename' })
    await rename.click()
    const question = page.getByRole('dialog', { name: 'Rename this migration' })
    expect(await question.getByLabel('Name').inputValue()).toBe('Sprig copy')
    await question.getByLabel('Name').fill('Spring copy')
    await expectSound(tab, 'rename-migration')
    await page.setViewportSize({ width: 1440, height: 900 })
    await question.getByRole('button', { name: 'Save the name' }).click()
    await heading(tab, 'Spring copy')
    await question.waitFor({ state: 'detached' })
    expect(await page.evaluate('document.activeElement.innerText')).toBe('Rename')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy as curl' }).click()
    const line = await page.evaluate<string>('navigator.clipboard.readText()')
    expect([line.includes('Spring copy'), line.includes('Sprig copy')]).toEqual([true, false])
    await page.getByRole('link', { name: 'Activity' }).click()
    await page
      .getByRole('row', { name: /Renamed/ })
      .getByText('Olive Reed')
      .waitFor()
    await page.getByRole('link', { name: 'Migrations' }).first().click()
    await page.getByRole('link', { name: 'Spring copy' }).waitFor()
    await tab.close()
    const viewer = await portal.tab(await portal.person({ role: 'viewer' }))
    await open(viewer, `/app/migrations/${id}/settings`, 'Spring copy')
    expect(await viewer.page.getByRole('button', { name: 'Rename' }).getAttribute('aria-disabled')).toBe('true')
    expect(viewer.complaints).toEqual([])
    await viewer.close()
  })

  test('Home shows a deletion that waits however many other migrations are paused', async () => {
    const { world } = portal
    await manyCopies('paused', 'Pause')
    await sql`update runs set prune_digest = 'a digest of the items', prune_items = 12 where label = 'Pause 7'`.execute(
      world.database,
    )
    const tab = await portal.tab(owner)
    const { page } = tab
    await open(tab, '/app', 'Home')
    const waits = page.getByRole('region', { name: 'A deletion waits' })
    await waits.getByText('Pause 7 is paused before deleting 12 items from').waitFor()
    expect(await waits.getByRole('listitem').count()).toBe(1)
    await sql`update runs set prune_digest = 'a digest of the items', prune_items = 12 where label like 'Pause %'`.execute(
      world.database,
    )
    await page.reload()
    await waits.getByText('There are 7 that wait before a deletion.').waitFor()
    expect(await waits.getByRole('listitem').count()).toBe(5)
    await expectSound(tab, 'home-deletions')
    await tab.close()
  })

  longTest('cancel says what it means, and keeps the migration when that is chosen', async () => {
    const { world } = portal
    await world.fault('source', { kind: 'hold_after_applying', method: 'GET', path: 'categories', times: 1 })
    const id = await world.migrate({ label: 'Winter copy' })
    await until('the copy is held', async () => (await world.faults('source')).some(({ hits }) => hits > 0))
    const tab = await portal.tab(owner)
    const { page } = tab
    await open(tab, `/app/migrations/${id}`, 'Winter copy')
    const cancel = page.getByRole('button', { name: 'Cancel' })
    await cancel.click()
    const question = page.getByRole('dialog', { name: 'Cancel Winter copy?' })
    await question.getByRole('button', { name: 'Keep it running' }).click()
    await question.waitFor({ state: 'hidden' })
    await cancel.click()
    await question.getByRole('button', { name: 'Cancel migration' }).click()
    await question.waitFor({ state: 'hidden' })
    await world.release('source')
    await page.getByText('Canceled', { exact: true }).waitFor()
    await page.locator('summary').filter({ hasText: 'Brands' }).getByText('not reached').waitFor()
    await tab.close()
  })

  longTest('the list is searched, filtered and sorted by its address, and says when nothing matches', async () => {
    const { world } = portal
    await world.complete({ label: 'Summer copy', entities: ['brands'] })
    await world.complete({ label: 'Rehearsal', mode: 'dry-run' })
    const tab = await portal.tab(owner)
    const { page } = tab
    await open(tab, '/app/migrations', 'Migrations')
    await page.getByRole('link', { name: 'Summer copy' }).waitFor()
    await expectSound(tab, 'migrations')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('searchbox').fill('summer')
    await page.getByRole('link', { name: 'Rehearsal' }).waitFor({ state: 'hidden' })
    expect(new URL(page.url()).searchParams.get('text')).toBe('summer')
    await page.getByLabel('What').selectOption('Trial run')
    await page.getByText('No migration matches').waitFor()
    await expectSound(tab, 'migrations-no-match')
    await page.getByRole('link', { name: 'Clear filters' }).click()
    await page.getByRole('link', { name: 'Rehearsal' }).waitFor()
    const status = page.getByRole('button', { name: 'Status' })
    await status.click()
    // Longer than the screen waits before it says that it loads.
    await page.route(/migrations\?.*status=paused/, async (route) => {
      await sleep(500)
      await route.continue()
    })
    const statuses = page.getByRole('group', { name: 'Status' })
    await statuses.getByLabel('Paused').check()
    await page.getByText('No migration matches').waitFor()
    await statuses.getByLabel('Done', { exact: true }).check()
    await expectSound(tab, 'migrations-statuses')
    await page.setViewportSize({ width: 1440, height: 900 })
    // It is longer than the panel with two rows.
    const isSeen = await statuses.getByText('Canceled').evaluate((label) => {
      const { left, top, width, height } = label.getBoundingClientRect()
      return label.contains(label.ownerDocument.elementFromPoint(left + width / 2, top + height / 2))
    })
    expect(isSeen).toBe(true)
    await page.keyboard.press('Escape')
    await statuses.waitFor({ state: 'hidden' })
    expect(await status.evaluate((button) => button.ownerDocument.activeElement === button)).toBe(true)
    await page.getByLabel('Order').selectOption('Last changed')
    await page.getByRole('table', { name: 'Migrations, last changed first' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Status 2 chosen' }).waitFor()
    expect(await page.getByRole('columnheader', { name: 'Last changed' }).getAttribute('aria-sort')).toBe('descending')
    expect(new URL(page.url()).search).toBe('?status=paused%2Ccompleted&sort=updated')
    await open(tab, '/app/migrations?status=nonsense&mode=dry-run&sort=colour', 'Migrations')
    expect(await page.getByRole('row').count()).toBe(2)
    await tab.close()
  })

  longTest('settings say every choice in words, with the names of scripts beside them', async () => {
    const id = await portal.world.migrate({
      label: 'With settings',
      mode: 'counts',
      conflictStrategy: 'replace',
      entities: ['customers'],
      pruneLive: ['customers'],
    })
    await portal.world.finished(id)
    const askingFirst = await portal.world.migrate({
      label: 'Asking first',
      mode: 'counts',
      conflictStrategy: 'replace',
      entities: ['customers'],
      pruneLimitPercent: 0,
      pruneLimitItems: 0,
    })
    await portal.world.finished(askingFirst)
    const tab = await portal.tab(owner)
    await open(tab, `/app/migrations/${askingFirst}/settings`, 'Asking first')
    const asks = tab.page.locator('dt', { hasText: 'Asks before deleting' }).locator('+ dd')
    expect(await asks.innerText()).toBe('Anything')
    await open(tab, `/app/migrations/${id}/settings`, 'With settings')
    await tab.page.getByText('Make the destination match').waitFor()
    await tab.page.getByText('20% of a kind or 100 items').waitFor()
    const shoppers = tab.page.locator('dt', { hasText: 'Delete what shoppers made' }).locator('+ dd')
    expect(await shoppers.innerText()).toBe('Customers')
    await expectSound(tab, 'migration-settings')
    await tab.close()
  })

  longTest(
    'on a narrow screen the parts of a migration are chosen from a list, and long texts are compared word by word',
    async () => {
      const { world } = portal
      const { requestId } = await world.complete({ label: 'Narrow copy', entities: ['brands'] })
      const [brand] = (await world.state('destination')).brands ?? []
      const text = (word: string) => `${'Lamps of oak. '.repeat(20)}${word} ones, too.`
      await world.change('destination', {
        op: 'set',
        table: 'brands',
        id: brand?.id ?? 0,
        fields: { page_title: text('Red') },
      })
      const { brands = [] } = await world.state('source')
      const theirs = brands.find(({ name }) => name === brand?.name)
      await world.change('source', {
        op: 'set',
        table: 'brands',
        id: theirs?.id ?? 0,
        fields: { page_title: text('Blue') },
      })
      await world.verify(requestId)
      const tab = await portal.tab(owner)
      const { page } = tab
      await page.setViewportSize({ width: 360, height: 800 })
      await open(tab, `/app/migrations/${requestId}`, 'Narrow copy')
      expect(await page.getByRole('navigation', { name: 'Parts of the migration' }).count()).toBe(0)
      await page.getByLabel('Part of the migration').selectOption('Settings')
      await page.getByRole('heading', { name: 'Choices' }).waitFor()
      await page.getByLabel('Part of the migration').selectOption('Differences')
      await page.getByRole('link', { name: 'Show what differs' }).click()
      await page
        .locator('details.more > summary')
        .filter({ hasText: /page.title/i })
        .click()
      await page.getByText('Compare word by word').click()
      expect(await page.locator('.word-diff bdi del').allTextContents()).toEqual(['Blue'])
      expect(await page.locator('.word-diff bdi ins').allTextContents()).toEqual(['Red'])
      await expectSound(tab, 'word-by-word')
      await tab.close()
    },
  )

  longTest('a viewer sees everything and can control nothing', async () => {
    const { requestId } = await portal.world.complete({ label: 'Watched copy', entities: ['brands'] })
    const tab = await portal.tab(await portal.person({ role: 'viewer' }))
    const { page } = tab
    await open(tab, `/app/migrations/${requestId}`, 'Watched copy')
    await page.getByText('Viewers cannot start, change or sign migrations. Ask an owner or operator.').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click({ force: true })
    expect(await page.getByRole('dialog').count()).toBe(0)
    await expectSound(tab, 'migration-viewer')
    await tab.close()
  })

  test('a person with several organizations opens a bookmark in a new tab, which is about the first of them', async () => {
    const { organisationId } = await portal.world.anotherOrganisation('Second of the list', [])
    const person = await portal.person({ role: 'viewer' })
    await sql`insert into memberships (organisation_id, user_id, role)
      values (${organisationId}, ${person.userId}, 'owner')`.execute(portal.world.database)
    const tab = await portal.tab(person)
    await open(tab, '/app/migrations', 'Migrations')
    expect(tab.complaints).toEqual([])
    await tab.close()
  })

  test('the link of a message opens its migration, whichever of several organizations of the person it is of', async () => {
    const { world } = portal
    const { requestId } = await world.complete({ label: 'Their copy', entities: ['brands'] })
    const { organisationId, identity } = await world.anotherOrganisation('First of the list', [])
    const person = await portal.person({ role: 'viewer', withPassword: true })
    await sql`insert into memberships (organisation_id, user_id, role)
      values (${organisationId}, ${person.userId}, 'owner')`.execute(world.database)
    const data = { store: 'new', summaryLine: 'Emails about orders are off.' }
    const event = { kind: 'store.mails_off', runId: requestId, data, at: new Date() } as const
    const body = bodyOf({ ...event, eventId: requestId, organisationId: world.organisationId }, world.url)
    const { url } = (JSON.parse(body) as { data: { url: string } }).data
    const tab = await portal.tab()
    const { page } = tab
    await page.goto(url)
    await page.getByLabel('Email').fill(person.email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await heading(tab, 'Report: Their copy')
    expect(await page.getByLabel('Organization').inputValue()).toBe(world.organisationId)
    expect(page.url()).toBe(at(`/app/migrations/${requestId}/report`))
    // The link also wins where the tab has another organization, and is as good as none where it names a foreign one.
    await page.getByLabel('Organization').selectOption(identity.organization_name)
    await page.getByText('Your first migration').waitFor()
    await open(tab, `/app?org=${randomUUID()}`, 'Home')
    expect(await page.getByLabel('Organization').inputValue()).toBe(organisationId)
    await page.goto(url)
    await heading(tab, 'Report: Their copy')
    expect(tab.complaints).toEqual([])
    await tab.close()
  })

  test('a link that is opened in a new tab leads into the organization of the tab that was used last', async () => {
    const { world } = portal
    await world.complete({ label: 'Their copy', entities: ['brands'] })
    const { organisationId, identity } = await world.anotherOrganisation('First of the list', [])
    const person = await portal.person({ role: 'viewer' })
    await sql`insert into memberships (organisation_id, user_id, role)
      values (${organisationId}, ${person.userId}, 'owner')`.execute(world.database)
    const tab = await portal.tab(person)
    const { page } = tab
    await open(tab, `/app/migrations?org=${world.organisationId}`, 'Migrations')
    const openThere = async () => {
      const opened = page.context().waitForEvent('page')
      await page.getByRole('link', { name: 'Their copy' }).click({ modifiers: ['ControlOrMeta'] })
      const other = await opened
      await other.getByRole('heading', { level: 1, name: 'Their copy' }).waitFor()
      return other
    }
    const other = await openThere()
    await other.getByLabel('Organization').selectOption(identity.organization_name)
    await other.getByText('Your first migration').waitFor()
    await page.evaluate("window.dispatchEvent(new Event('focus'))")
    await openThere()
    expect(await other.getByLabel('Organization').inputValue()).toBe(organisationId)
    expect(tab.complaints).toEqual([])
    await tab.close()
  })

  test('who switches the organization while a migration or a report is open is not asked for it any more', async () => {
    const { world } = portal
    const { requestId: id } = await world.complete({ label: 'Their copy', entities: ['brands'] })
    const { organisationId, identity } = await world.anotherOrganisation('Second', [])
    const person = await portal.person({ role: 'viewer' })
    await sql`insert into memberships (organisation_id, user_id, role)
      values (${organisationId}, ${person.userId}, 'owner')`.execute(world.database)
    const tab = await portal.tab(person)
    const { page } = tab
    const foreign: string[] = []
    page.on('request', (request) => {
      const isOfSecond = request.headers()['storeferry-organization'] === organisationId
      if (isOfSecond && request.url().includes(id)) foreign.push(new URL(request.url()).pathname)
    })
    for (const [path, title] of [
      ['/report', 'Report: Their copy'],
      ['/issues', 'Their copy'],
    ] as const) {
      await open(tab, `/app/migrations/${id}${path}?org=${world.organisationId}`, title)
      await page.waitForLoadState('networkidle')
      await page.getByLabel('Organization').selectOption(identity.organization_name)
      await page.getByText('Your first migration').waitFor()
      await page.waitForLoadState('networkidle')
      expect([path, foreign]).toEqual([path, []])
    }
    expect(tab.complaints).toEqual([])
    await tab.close()
  })

  longTest('on a narrow screen the menu closes when another organization is chosen in it', async () => {
    const { world } = portal
    const { organisationId, identity } = await world.anotherOrganisation('Second', [])
    const person = await portal.person({ role: 'viewer' })
    await sql`insert into memberships (organisation_id, user_id, role)
      values (${organisationId}, ${person.userId}, 'owner')`.execute(world.database)
    const tab = await portal.tab(person)
    const { page } = tab
    await page.setViewportSize({ width: 360, height: 800 })
    await open(tab, `/app?org=${world.organisationId}`, 'Home')
    await page.getByRole('button', { name: 'Menu' }).click()
    const menu = page.getByRole('dialog', { name: 'Menu' })
    await menu.getByLabel('Organization').selectOption(identity.organization_name)
    await menu.waitFor({ state: 'detached' })
    await page.getByText('Your first migration').waitFor()
    expect(tab.complaints).toEqual([])
    await tab.close()
  })

  test('on a phone the back button closes the menu or a question first, and then leaves the screen at once', async () => {
    const { requestId: id } = await portal.world.complete({ label: 'Spring copy', entities: ['brands'] })
    const tab = await portal.tab(owner)
    const { page } = tab
    await page.setViewportSize({ width: 390, height: 844 })
    await open(tab, `/app/migrations/${id}`, 'Spring copy')
    const here = page.url()
    const focused = () =>
      page.evaluate<string>('document.activeElement.innerText || document.activeElement.textContent')
    const menu = page.getByRole('dialog', { name: 'Menu' })
    await page.getByRole('button', { name: 'Menu' }).click()
    await menu.waitFor()
    await page.goBack()
    await menu.waitFor({ state: 'detached' })
    expect(page.url()).toBe(here)
    expect(await focused()).toBe('Menu')
    await page.getByRole('button', { name: 'Menu' }).click()
    await menu.getByRole('link', { name: 'Stores' }).click()
    await heading(tab, 'Stores')
    await page.goBack()
    await heading(tab, 'Spring copy')
    const question = page.getByRole('dialog', { name: 'Compare the two stores?' })
    const ask = () => page.getByRole('button', { name: 'Compare' }).click()
    await ask()
    await question.waitFor()
    await page.goBack()
    await question.waitFor({ state: 'detached' })
    expect(await focused()).toBe('Compare')
    await open(tab, '/app/migrations', 'Migrations')
    await page.getByRole('link', { name: 'Spring copy' }).click()
    await heading(tab, 'Spring copy')
    for (const close of [() => page.keyboard.press('Escape'), () => question.getByRole('button').last().click()]) {
      await ask()
      await question.waitFor()
      await close()
      await question.waitFor({ state: 'detached' })
    }
    await ask()
    await question.waitFor()
    await page.goBack()
    await question.waitFor({ state: 'detached' })
    await ask()
    await question.getByRole('button', { name: 'Not now' }).click()
    await question.waitFor({ state: 'detached' })
    await page.goBack()
    await heading(tab, 'Migrations')
    expect(tab.complaints).toEqual([])
    await tab.close()
  })

  test('the back button closes the open choice of statuses, which stay chosen, and then leaves the list', async () => {
    const { world } = portal
    await world.complete({ label: 'Spring copy', entities: ['brands'] })
    const tab = await portal.tab(owner)
    const { page } = tab
    await open(tab, '/app', 'Home')
    await page.getByRole('link', { name: 'Migrations', exact: true }).click()
    await heading(tab, 'Migrations')
    const button = page.getByRole('button', { name: /^Status/ })
    const list = page.getByRole('group', { name: 'Status' })
    const mark = async (status: string, words: string) => {
      await button.click()
      await list.getByLabel(status, { exact: true }).check()
      await button.getByText(words, { exact: true }).waitFor()
    }
    const search = () => new URL(page.url()).search
    const focused = () => page.evaluate<string>('document.activeElement.innerText')

    await mark('Done', 'Done')
    await page.goBack()
    await list.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Spring copy' }).waitFor()
    expect([search(), await focused()]).toEqual(['?status=completed', 'Done'])
    await mark('Paused', '2 chosen')
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'detached' })
    await page.getByRole('combobox', { name: 'What' }).selectOption('Copy')
    await until('the list is narrowed', () => search().includes('mode=full'))
    await page.goBack()
    await heading(tab, 'Home')
    expect(tab.complaints).toEqual([])
    await tab.close()
  })

  longTest('a link to a migration of another organization of the person is followed by one click', async () => {
    const { world, organization } = portal
    const { requestId } = await world.complete({ label: 'Their copy', entities: ['brands'] })
    const { organisationId, identity } = await world.anotherOrganisation('Second', [])
    const person = await portal.person({ role: 'viewer' })
    await sql`insert into memberships (organisation_id, user_id, role)
      values (${organisationId}, ${person.userId}, 'owner')`.execute(world.database)
    const tab = await portal.tab(person, /404/)
    const { page } = tab
    await open(tab, '/app', 'Home')
    await page.getByLabel('Organization').selectOption(identity.organization_name)
    await page.getByText('Your first migration').waitFor()
    await open(tab, `/app/migrations/${requestId}/issues`, 'Not found')
    await expectSound(tab, 'migration-elsewhere')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('button', { name: `Look in ${organization}` }).click()
    await heading(tab, 'Their copy')
    await page.getByText('Nothing needs review', { exact: true }).waitFor()
    expect(await page.getByLabel('Organization').inputValue()).toBe(world.organisationId)
    await tab.close()
  })

  longTest('an unknown migration is not found, and without Store Migration the list says whom to ask', async () => {
    const { world } = portal
    const { organisationId } = await world.anotherOrganisation('Removed', [])
    const tab = await portal.tab(await portal.person({ role: 'owner', organizationId: organisationId }), /40[34]/)
    await open(tab, '/app/migrations/00000000-0000-4000-8000-000000000000', 'Not found')
    await expectSound(tab, 'migration-not-found')
    await sql`update organisations set store_migration_enabled = false where id = ${organisationId}`.execute(
      world.database,
    )
    await open(tab, '/app/migrations', 'Store Migration is off')
    await expectSound(tab, 'not-enabled')
    await tab.close()
  })
})
