import { sql } from 'kysely'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { callStore } from '../engine/call-store.ts'
import { chromiumMissing, findChromium } from '../harness/chromium.ts'
import { longTest } from '../harness/long-form.ts'
import { type Person, type Portal, startPortal } from './a-portal.ts'
import { expectSound, overflowOf, startBrowser, type Tab } from './a-tab.ts'

describe.skipIf(!findChromium())(findChromium() ? 'what a migration found, in a browser' : chromiumMissing, () => {
  let browser: Browser
  let portal: Portal
  let owner: Person
  beforeAll(async () => {
    browser = await startBrowser()
  }, 300_000)
  afterAll(() => browser?.close())
  beforeEach(async () => {
    portal = await startPortal({ entities: ['categories', 'brands'] }, browser)
    owner = await portal.person({ role: 'owner' })
  }, 300_000)
  afterEach(() => portal?.stop())

  const open = async (tab: Tab, path: string, title: string) => {
    await tab.page.goto(`${portal.world.url}${path}`)
    await tab.page.getByRole('heading', { level: 1, name: title }).waitFor()
  }
  const wide = (page: Page) => page.setViewportSize({ width: 1440, height: 900 })
  /** What a click on a button downloads, as text. */
  const fileOf = async (page: Page, button: string): Promise<{ name: string; text: string }> => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: button }).click(),
    ])
    const chunks: Buffer[] = []
    for await (const chunk of await file.createReadStream()) chunks.push(Buffer.from(chunk))
    return { name: file.suggestedFilename(), text: Buffer.concat(chunks).toString() }
  }
  const section = (page: Page, name: string) => page.getByRole('region', { name })
  const brandsThere = async () => (await portal.world.state('destination')).brands?.map(({ name }) => name) ?? []

  test('G4, S18: a `replace` waits with the list of exactly what it deletes; an operator is refused, an owner confirms by name', async () => {
    const { world } = portal
    await world.complete({ entities: ['brands'] })
    const extra = ['Old & <b>gone</b>', 'Older']
    for (const name of extra) await callStore(world, 'destination', 'POST', '/v3/catalog/brands', { name })
    const limits = { conflictStrategy: 'replace', pruneLimitPercent: 0, pruneLimitItems: 0 }
    const id = await world.migrate({ label: 'Matching copy', entities: ['brands'], ...limits })
    await world.finished(id, { status: 'paused' })
    const { destination } = await world.detail(id)

    const other = await portal.tab(await portal.person({ role: 'operator' }))
    await open(other, `/app/migrations/${id}/activity`, 'Matching copy')
    const theirs = other.page.getByRole('region', { name: 'A deletion waits' })
    await theirs.getByText(/^Delete: Only an owner can allow this: .*Olive Reed/).waitFor()
    await theirs.getByRole('button', { name: 'Delete these 2 items' }).click({ force: true })
    expect(await other.page.getByRole('dialog').count()).toBe(0)
    // Where the messages about it lead.
    await other.page.goto(`${world.url}/app/migrations/${id}/report`)
    await theirs.getByText(/^Delete: Only an owner can allow this: .*Olive Reed/).waitFor()
    await other.close()

    const tab = await portal.tab(owner)
    const { page } = tab
    await open(tab, '/app', 'Home')
    await page
      .getByRole('region', { name: 'A deletion waits' })
      .getByText('is paused before deleting 2 items')
      .waitFor()
    await page.getByRole('region', { name: 'A deletion waits' }).getByRole('link', { name: 'Matching copy' }).click()
    const waits = page.getByRole('region', { name: 'A deletion waits' })
    await waits.getByText(`Paused before deleting 2 items from ${destination.label}.`).waitFor()
    const rows = waits.getByRole('table', { name: 'Items that would be deleted' }).getByRole('row')
    await rows.nth(extra.length).waitFor()
    expect((await rows.allInnerTexts()).slice(1).map((row) => row.split('\t').map((cell) => cell.trim()))).toEqual(
      extra.map((name) => [expect.stringContaining(name), 'Brands', '–', 'The source never had it']),
    )
    const file = await fileOf(page, 'Download the list')
    expect(file.name).toBe('deletions.csv')
    // Without the mark, Excel shows every letter beyond ASCII as two others.
    expect(file.text).toMatch(/^\uFEFF"/)
    for (const name of extra) expect(file.text).toContain(name)
    await expectSound(tab, 'deletion-waits')
    await wide(page)
    expect(await brandsThere()).toEqual(expect.arrayContaining(extra))
    await waits.getByRole('button', { name: 'Delete these 2 items' }).click()
    const question = page.getByRole('dialog', { name: `Delete 2 items from ${destination.label}?` })
    await question.getByText('The name does not match yet.').waitFor()
    await expectSound(tab, 'deletion-question')
    await wide(page)
    await question.getByLabel(`Type ${destination.label} to confirm`).fill(destination.label)
    await question.getByRole('button', { name: 'Delete 2 items' }).click()
    await question.waitFor({ state: 'hidden' })
    await page.getByText('Done', { exact: true }).waitFor()
    await waits.waitFor({ state: 'hidden' })
    expect((await brandsThere()).filter((name) => extra.includes(String(name)))).toEqual([])
    await page.getByRole('link', { name: 'Changes' }).click()
    await page.getByRole('link', { name: 'Deleted', exact: true }).click()
    const deleted = page.getByRole('row').filter({ hasText: 'Older' })
    await deleted.getByText('Show').click()
    await deleted.getByText('name', { exact: true }).waitFor()
    await expectSound(tab, 'changes-deleted')
    await open(tab, `/app/migrations/${id}/report`, 'Report: Matching copy')
    await section(page, 'Deleted from the destination').getByText('Brands: 2 items deleted').waitFor()
    await tab.close()
  })

  longTest('D4: going on without deleting keeps every item of the list, and says so', async () => {
    const { world } = portal
    await world.complete({ entities: ['brands'] })
    await callStore(world, 'destination', 'POST', '/v3/catalog/brands', { name: 'Old' })
    const { category_trees: [tree] = [] } = await world.state('destination')
    const category = { tree_id: tree?.id, parent_id: 0, name: 'Old room' }
    await callStore(world, 'destination', 'POST', '/v3/catalog/trees/categories', [category])
    const limits = { conflictStrategy: 'replace', pruneLimitPercent: 0, pruneLimitItems: 0 }
    const id = await world.migrate({ label: 'Careful copy', ...limits })
    await world.finished(id, { status: 'paused' })
    const tab = await portal.tab(await portal.person({ role: 'operator' }))
    const { page } = tab
    await open(tab, `/app/migrations/${id}`, 'Careful copy')
    const waits = section(page, 'A deletion waits')
    const planned = (name: string) => waits.getByText(name, { exact: true })
    for (const name of ['Old', 'Old room']) await planned(name).waitFor()
    await waits.getByLabel('Part').selectOption('Brands (1)')
    await planned('Old room').waitFor({ state: 'hidden' })
    await planned('Old').waitFor()
    await waits.getByLabel('Part').selectOption('All')
    await planned('Old room').waitFor()
    await page.getByRole('button', { name: 'Go on without deleting' }).click()
    const question = page.getByRole('dialog', { name: 'Go on without deleting?' })
    await question.getByRole('button', { name: 'Go on without deleting' }).click()
    await question.waitFor({ state: 'hidden' })
    await page.getByText('Done', { exact: true }).waitFor()
    expect(await brandsThere()).toContain('Old')
    await page.getByRole('link', { name: 'Changes' }).click()
    await page.getByRole('link', { name: 'Kept', exact: true }).click()
    await page.getByRole('row').getByText('Old', { exact: true }).waitFor()
    await tab.close()
  })

  longTest(
    'issues are read by cause; one is tried again by key, one accepted and reopened, and the rest of its cause is accepted in one request',
    async () => {
      const { world } = portal
      const { brands = [] } = await world.state('source')
      await world.fault('destination', {
        kind: 'error_before_applying',
        status: 422,
        method: 'POST',
        path: 'brands',
        times: null,
      })
      const { requestId: id } = await world.complete({ label: 'Spring copy', autoHeal: false, entities: ['brands'] })
      await world.clearFaults('destination')
      const names = brands.map(({ name }) => String(name))
      const tab = await portal.tab(owner)
      const { page } = tab
      await open(tab, `/app/migrations/${id}/issues`, 'Spring copy')
      const cause = () => page.getByRole('region', { name: /^BigCommerce refused the item/ })
      await cause().getByRole('article').first().waitFor()
      expect(await cause().getByRole('article').count()).toBe(names.length)
      const csv = await fileOf(page, 'Download CSV')
      expect([csv.name, csv.text.trimEnd().split('\r\n').length]).toEqual(['issues.csv', names.length + 1])

      await page.keyboard.press('j')
      await page.keyboard.press('j')
      await page.keyboard.press('k')
      const chosen = await page.locator('a:focus').innerText()
      expect(chosen).toBe(await cause().getByRole('article').first().getByRole('link').innerText())
      await page.keyboard.press('r')
      const again = page.getByRole('dialog', { name: `Try ${chosen} again?` })
      await again.getByText('Tries this item again and nothing else.').waitFor()
      await again.getByRole('button', { name: 'Try again' }).click()
      await again.waitFor({ state: 'hidden' })
      await page.getByRole('link', { name: 'Solved 1' }).waitFor()
      expect(await brandsThere()).toEqual([chosen])

      await page.keyboard.press('j')
      await page.keyboard.press('a')
      const accept = page.getByRole('dialog', { name: /^Accept .+ as it is\?$/ })
      await accept.getByRole('button', { name: 'Accept as is' }).click()
      await accept.waitFor({ state: 'hidden' })
      // Its row has gone, and the focus did not go with it.
      await page.locator('h1:focus').waitFor()
      await page.getByRole('link', { name: 'Accepted as they are 1' }).click()
      await page.getByRole('button', { name: /^Reopen: / }).click()
      const reopen = page.getByRole('dialog', { name: /^Reopen .+\?$/ })
      await reopen.getByText('It needs review again').waitFor()
      await expectSound(tab, 'issues-reopen')
      await wide(page)
      await reopen.getByRole('button', { name: 'Reopen' }).click()
      await reopen.waitFor({ state: 'hidden' })
      await page.getByText('Nothing was accepted as it is', { exact: true }).waitFor()
      await page.getByRole('link', { name: `Needs review ${names.length - 1}` }).click()
      const left = names.length - 1
      await cause()
        .getByRole('button', { name: `Try ${left} items again` })
        .waitFor()
      // As a migration that is running finds one more after the list was loaded.
      await sql`
        insert into issues select (jsonb_populate_record(one,
          jsonb_build_object('id', gen_random_uuid(), 'source_id', '99999'))).*
        from issues one where run_id = ${id} and state = 'open' limit 1`.execute(world.database)
      await cause()
        .getByRole('button', { name: `Accept ${left} items as is` })
        .click()
      const all = left + 1
      const question = page.getByRole('dialog', { name: `Accept ${all} issues as they are?` })
      await question.getByText('the migration is then done, and this cannot be taken back').waitFor()
      await question.getByLabel('Reason (optional)').fill('Not sold any more.')
      await expectSound(tab, 'issues-accept')
      await wide(page)
      await question.getByRole('button', { name: `Accept ${all} issues` }).click()
      await question.waitFor({ state: 'hidden' })
      await page.getByText('Nothing needs review', { exact: true }).waitFor()
      const { rows } = await sql`
      select action, details -> 'issues' as issues from audit
      where action in ('migration.dismiss', 'migration.reopen') and details ->> 'runId' = ${id} order by id`.execute(
        world.database,
      )
      expect(rows).toEqual([
        { action: 'migration.dismiss', issues: 1 },
        { action: 'migration.reopen', issues: 1 },
        { action: 'migration.dismiss', issues: all },
      ])
      await page.getByRole('link', { name: `Accepted as they are ${all}` }).click()
      await page.getByText('Accepted: Not sold any more.').first().waitFor()
      await page.getByText('It is done, and that is final. Compare the two stores, or copy again.').first().waitFor()
      await page.getByText('Done', { exact: true }).waitFor()
      await tab.close()
    },
  )

  test('the back button closes an issue, and the list is where it was; an issue that was closed is not behind it', async () => {
    const { world } = portal
    const refusal = { kind: 'error_before_applying', status: 422, method: 'POST', path: 'brands', times: null } as const
    await world.fault('destination', refusal)
    const { requestId: id } = await world.complete({ label: 'Spring copy', autoHeal: false, entities: ['brands'] })
    const tab = await portal.tab(owner)
    const { page } = tab
    await open(tab, `/app/migrations/${id}`, 'Spring copy')
    await page.getByRole('link', { name: /^Issues \d+$/ }).click()
    await page.setViewportSize({ width: 390, height: 500 })
    const issue = page.getByRole('article').last().getByRole('link')
    const drawer = page.getByRole('dialog')
    const scrolled = () => page.evaluate<number>('scrollY')
    await issue.scrollIntoViewIfNeeded()
    const before = await scrolled()
    expect(before).toBeGreaterThan(0)
    await issue.click()
    await drawer.getByRole('heading', { name: 'What happened' }).waitFor()
    await page.goBack()
    await drawer.waitFor({ state: 'hidden' })
    expect(await scrolled()).toBe(before)
    expect(await issue.evaluate((link) => link === link.ownerDocument.activeElement)).toBe(true)
    await page.goForward()
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
    await page.goForward()
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
    for (const close of ['Escape', 'Close']) {
      await issue.click()
      await drawer.getByRole('heading', { name: 'What happened' }).waitFor()
      if (close === 'Close') await drawer.getByRole('button', { name: close }).click()
      else for (const key of [close, close]) await page.keyboard.press(key)
      await drawer.waitFor({ state: 'hidden' })
      await issue.waitFor()
      expect(await scrolled()).toBe(before)
    }
    await page.goBack()
    await page.getByRole('region', { name: 'Steps' }).waitFor()
    expect(tab.complaints).toEqual([])
    await tab.close()
  })

  longTest('an address opens one issue, whose drawer says where it is and what else is known of the item', async () => {
    const { world } = portal
    const [brand] = (await world.state('source')).brands ?? []
    const body = String(brand?.name)
    const refusal = { kind: 'error_before_applying', status: 422, path: 'brands', body, times: null } as const
    await world.fault('destination', refusal)
    await world.complete({ label: 'First copy', autoHeal: false, entities: ['brands'] })
    const { requestId: id } = await world.complete({ label: 'Second copy', autoHeal: false, entities: ['brands'] })
    const [issue] = await world.issues(id)
    const tab = await portal.tab(owner)
    const { page } = tab
    await open(tab, `/app/migrations/${id}/issues?issue=${issue?.id}`, 'Second copy')
    const drawer = page.getByRole('dialog', { name: body })
    await drawer.getByText(/, not there$/).waitFor()
    await drawer.getByRole('heading', { name: 'In other migrations' }).waitFor()
    await drawer.getByText(/^1 attempt, (just now|.+ ago)\./).waitFor()
    await expectSound(tab, 'issue-drawer')
    await wide(page)
    await drawer.getByRole('button', { name: 'Close' }).click()
    await drawer.waitFor({ state: 'hidden' })
    await page.waitForURL((url) => !url.searchParams.has('issue'))
    await page
      .getByRole('article')
      .getByRole('button', { name: `Try again: ${body}` })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Tried 2 times, the last').waitFor()
    await tab.close()
  })

  longTest(
    'an item that differs is compared again from its row, and a link copies it alone by what repairs it',
    async () => {
      const { world } = portal
      const { requestId } = await world.complete({ entities: ['brands'] })
      const [brand] = (await world.state('destination')).brands ?? []
      const name = String(brand?.name)
      const change = (title: unknown) =>
        world.change('destination', { op: 'set', table: 'brands', id: brand?.id ?? 0, fields: { page_title: title } })
      await change('Theirs')
      const { detail } = await world.verify(requestId)
      const tab = await portal.tab(owner)
      const { page } = tab
      await page.goto(`${world.url}/app/migrations/${detail.requestId}/differences`)
      await page.getByRole('button', { name: `Compare again: ${name}` }).click()
      const drawer = page.getByRole('dialog', { name: `${name}, compared again` })
      await drawer.getByText('It differs.').waitFor()
      await drawer.getByText('Theirs', { exact: true }).waitFor()
      await drawer.getByRole('link', { name: `Copy this item: ${name}` }).waitFor()
      await expectSound(tab, 'compared-again')
      await wide(page)
      await change(brand?.page_title)
      await drawer.getByRole('button', { name: 'Compare once more' }).click()
      await drawer.getByText('The two stores agree on this item.').waitFor()
      expect(await drawer.getByRole('link').count()).toBe(0)
      await page.keyboard.press('Escape')
      await drawer.waitFor({ state: 'hidden' })
      await expectSound(tab, 'differences')
      await wide(page)
      await page.getByRole('link', { name: `Copy this item: ${name}` }).click()
      await page.getByRole('heading', { level: 1, name: 'New migration' }).waitFor()
      await section(page, 'Picked').getByRole('listitem').filter({ hasText: name }).waitFor()
      expect(await page.getByRole('radio', { name: 'Picked items' }).isChecked()).toBe(true)
      expect(await page.getByRole('radio', { name: 'Add and update' }).isChecked()).toBe(true)
      await page.getByRole('button', { name: 'Start copying' }).waitFor()
      await tab.close()
    },
  )

  longTest('D6: changes show what was there before, and pairs find an item by its old number', async () => {
    const { world } = portal
    await world.complete({ entities: ['brands'] })
    const [brand] = (await world.state('destination')).brands ?? []
    const fields = { page_title: 'Theirs <i>title</i>' }
    await world.change('destination', { op: 'set', table: 'brands', id: brand?.id ?? 0, fields })
    const { requestId: id } = await world.complete({
      label: 'Second copy',
      conflictStrategy: 'update',
      entities: ['categories', 'brands'],
    })
    const tab = await portal.tab(owner)
    const { page } = tab
    await open(tab, `/app/migrations/${id}/changes`, 'Second copy')
    await page.getByRole('table', { name: 'What was copied' }).waitFor()
    expect(await page.getByRole('cell', { name: 'Brands', exact: true }).count()).toBe(0)
    await expectSound(tab, 'changes-new')
    await wide(page)
    await page.getByRole('link', { name: 'Changed', exact: true }).click()
    const row = page.getByRole('row').filter({ hasText: String(brand?.name) })
    await row.getByText('page title', { exact: true }).first().click()
    await row.getByText('Theirs <i>title</i>').waitFor()
    await expectSound(tab, 'changes-changed')
    await wide(page)
    await page.getByRole('link', { name: 'Item pairs' }).click()
    await page.getByRole('table', { name: 'Item pairs' }).waitFor()
    const old = (await world.state('source')).brands?.find(({ name }) => name === brand?.name)
    await page.getByRole('search').getByLabel('Part').selectOption('Brands')
    await page.getByRole('searchbox').fill(String(old?.id))
    await page.waitForURL(/text=/)
    const pair = page.getByRole('row').filter({ hasText: String(old?.name) })
    await pair.getByRole('cell', { name: String(brand?.id), exact: true }).waitFor()
    const csv = await fileOf(page, 'Download CSV')
    expect([csv.name, csv.text.split('\r\n').filter((line) => line.includes(`"${old?.name}"`))]).toEqual([
      'mappings.csv',
      [expect.stringContaining(`"${old?.id}","${brand?.id}"`)],
    ])
    await expectSound(tab, 'pairs')
    await tab.close()
  })

  longTest('settings and report of picked items of one storefront say which, and not everything', async () => {
    const { world } = portal
    const [brand] = (await world.state('source')).brands ?? []
    const { requestId: id } = await world.complete({
      label: 'One brand',
      selection: { brands: { ids: [String(brand?.id)] } },
      sourceStorefront: '1',
      destStorefront: '1',
    })
    const tab = await portal.tab(owner)
    const { page } = tab
    await open(tab, `/app/migrations/${id}`, 'One brand')
    await page.getByText('Copy, picked items, one storefront: source → destination').waitFor()
    for (const [path, title] of [
      ['settings', 'One brand'],
      ['report', 'Report: One brand'],
    ] as const) {
      await open(tab, `/app/migrations/${id}/${path}`, title)
      const choices = section(page, 'Choices')
      const of = (term: string) => choices.locator('dt', { hasText: new RegExp(`^${term}$`) }).locator('+ dd')
      await of('Storefront').getByText('source storefront to destination storefront').waitFor()
      expect(await of('Picked items').innerText()).toBe('Brands: 1 item picked')
      expect(await of('Kinds').count()).toBe(0)
      await expectSound(tab, `choices-${path}`)
      await wide(page)
    }
    await tab.close()
  })

  longTest(
    'activity names who asked for what; a report is signed once the copy was compared, and prints without cut',
    async () => {
      const { world } = portal
      const { requestId: id } = await world.complete({ label: 'Signed copy', entities: ['brands'] })
      const tab = await portal.tab(owner)
      const { page } = tab
      await open(tab, `/app/migrations/${id}/activity`, 'Signed copy')
      await page.getByRole('row').filter({ hasText: 'Created' }).getByText('Ada Lovelace').waitFor()
      await page.getByRole('row').filter({ hasText: 'Finished brands' }).waitFor()
      await expectSound(tab, 'activity')
      await wide(page)
      await page.getByRole('link', { name: 'Report' }).click()
      await page.getByRole('heading', { level: 1, name: 'Report: Signed copy' }).waitFor()
      await page.getByText('Compare first, so that there is something to sign.').waitFor()
      const { detail: comparison } = await world.verify(id)
      await page.getByRole('link', { name: 'Signed copy' }).click()
      await page.reload()
      await section(page, 'Is the copy right?')
        .getByText(/^All \d+ items are equal\.$/)
        .waitFor()
      const nothingDiffers = async () => {
        await page.getByText(/^All \d+ items are equal\.$/).waitFor()
        expect(await page.getByRole('link', { name: 'Show what differs' }).count()).toBe(0)
      }
      await nothingDiffers()
      await page.getByRole('link', { name: 'Differences' }).click()
      await nothingDiffers()
      await open(tab, `/app/migrations/${comparison.requestId}`, 'Comparison: Signed copy')
      await nothingDiffers()
      await section(page, 'Is the copy right?').getByRole('link', { name: 'Open the copy' }).waitFor()
      await expectSound(tab, 'comparison-done')
      await wide(page)
      await section(page, 'Is the copy right?').getByRole('link', { name: 'Report and sign-off' }).click()
      await page.getByRole('heading', { level: 1, name: 'Report: Signed copy' }).waitFor()
      const sections = await page.getByRole('heading', { level: 2 }).allInnerTexts()
      expect(sections.slice(0, 4)).toEqual(['Sign-off', 'What was done', 'Is the copy right?', 'By kind'])
      await page.getByRole('button', { name: 'Record sign-off' }).click()
      const question = page.getByRole('dialog', { name: 'Sign this copy off?' })
      await question.getByText(/^All \d+ items are equal\.$/).waitFor()
      await question.getByLabel('Note (optional)').fill('Looked at ten products by hand.')
      await question.getByRole('button', { name: 'Sign off' }).click()
      await question.waitFor({ state: 'hidden' })
      await page.getByText('Looked at ten products by hand.').waitFor()
      await section(page, 'What was done').getByText(id, { exact: true }).waitFor()
      await section(page, 'Accepted as it is').getByText('Nothing was accepted as it is.').waitFor()
      await section(page, 'Not copied, and what to do instead').getByText('There was nothing that cannot').waitFor()
      await section(page, 'Deleted from the destination').getByText('Nothing was deleted.').waitFor()
      expect((await world.api<{ items: object[] }>('GET', `/v2/migrations/${id}/sign-off`)).body.items).toMatchObject([
        { signedBy: 'Olive Reed', isCurrent: true },
      ])
      const detail = await world.detail(id)
      const copied = detail.phases.reduce((sum, { created }) => sum + created, 0)
      await page
        .getByRole('row')
        .filter({ hasText: 'Brands' })
        .getByRole('cell', { name: String(copied), exact: true })
        .waitFor()
      await expectSound(tab, 'report')
      await page.emulateMedia({ media: 'print' })
      // The width of A4 and of Letter within the margins, at 96 dots an inch.
      for (const [paper, width] of [
        ['A4', 673],
        ['Letter', 695],
      ] as const) {
        await page.setViewportSize({ width, height: 900 })
        expect(await overflowOf(page), paper).toBe(0)
        expect(await page.getByRole('navigation').count(), paper).toBe(0)
        expect(await page.getByRole('button').count(), paper).toBe(0)
        await page.getByText('Name and signature').waitFor()
      }
      await tab.close()
    },
  )
})
