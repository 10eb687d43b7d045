import { sql } from 'kysely'
import type { Browser, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumMissing, findChromium } from '../harness/chromium.ts'
import { isLong, longTest } from '../harness/long-form.ts'
import { until } from '../harness/until.ts'
import { type Person, type Portal, startPortal } from './a-portal.ts'
import { expectSound, startBrowser, type Tab } from './a-tab.ts'

const wide = { width: 1440, height: 900 }

describe.skipIf(!findChromium())(findChromium() ? 'stores and new migrations in a browser' : chromiumMissing, () => {
  let browser: Browser
  let portal: Portal
  let owner: Person
  beforeAll(async () => {
    browser = await startBrowser()
    portal = await startPortal({ entities: ['categories', 'brands'] }, browser)
    owner = await portal.person({ role: 'owner' })
  }, 300_000)
  afterAll(async () => {
    await portal?.stop()
    await browser?.close()
  })

  const at = (path: string) => `${portal.world.url}${path}`
  const heading = ({ page }: Tab, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
  const open = async (tab: Tab, path: string, title: string) => {
    await tab.page.goto(at(path))
    await heading(tab, title)
  }
  const sound = async (tab: Tab, name: string) => {
    await expectSound(tab, name)
    await tab.page.setViewportSize(wide)
  }
  /** States that are much like others are looked at where time does not matter. */
  const soundAtLength = async (tab: Tab, name: string) => {
    if (isLong || process.env.STOREFERRY_PICTURES) await sound(tab, name)
  }

  test('a newcomer connects two stores, tries out a copy of some kinds, reads what it would do and copies for real', async () => {
    // It copies, so no other story has its stores.
    const own = await startPortal({}, browser)
    const { world } = own
    const { organisationId } = await world.anotherOrganisation('Newcomers', [])
    const tab = await own.tab(await own.person({ role: 'owner', organizationId: organisationId }), /502|422/)
    const { page } = tab
    await open(tab, '/app', 'Home')
    await sound(tab, 'first-steps')
    await page.getByRole('link', { name: 'Connect a store' }).click()
    await heading(tab, 'Connect a store')
    await page.getByText('with read-only rights it could not do otherwise').waitFor()
    await page.getByText('The 12 scopes').click()
    await page.getByRole('table', { name: /all read-only/ }).waitFor()
    const press = (name: string) => page.getByRole('button', { name }).click()
    await press('Check and connect')
    await page.getByRole('link', { name: 'Enter the access token of the account.' }).click()
    expect(await page.evaluate('document.activeElement.id')).toBe('store-token')
    await soundAtLength(tab, 'connect-store-problems')
    const connect = async (side: 'source' | 'destination', token: string) => {
      const { hash } = world.address(side)
      await page.getByLabel('API path or store hash').fill(`https://api.bigcommerce.com/stores/${hash}/v3/`)
      await page.getByLabel('Access token').fill(token)
      await press('Check and connect')
    }
    await connect('source', 'no-such-token')
    await page.getByRole('link', { name: /does not accept this API token/ }).waitFor()
    await connect('source', world.address('source').token)
    await page.getByText('The token may read everything that Storeferry copies.').waitFor()
    await page.getByLabel('Name in Storeferry').fill('Old shop')
    await press('Save the name')
    await page.getByText('Saved as Old shop.').waitFor()
    await soundAtLength(tab, 'connected')
    await press('Connect another store')
    await page.getByText('as modify').waitFor()
    await connect('destination', world.address('destination').token)
    await page.getByLabel('Name in Storeferry').fill('New shop')
    await press('Save the name')
    await page.getByText('Saved as New shop.').waitFor()
    const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href])')
    for (const side of ['source', 'destination'] as const) {
      expect(await page.content()).not.toContain(world.address(side).token)
      expect(kept).not.toContain(world.address(side).token)
    }

    await page.getByRole('link', { name: 'New migration' }).click()
    await heading(tab, 'New migration')
    await soundAtLength(tab, 'new-migration-empty')
    await page.getByLabel('Copy from').selectOption({ label: `Old shop (${world.address('source').hash})` })
    await page.getByLabel('Copy to').selectOption({ label: `Old shop (${world.address('source').hash})` })
    await page.getByText('Choose two different stores.').first().waitFor()
    await page.getByLabel('Copy to').selectOption({ label: `New shop (${world.address('destination').hash})` })
    await page.getByLabel('Some kinds').check()
    await press('Start trial run')
    await page.getByRole('link', { name: 'Choose at least one kind.' }).waitFor()
    await page.getByLabel('Brands', { exact: true }).check()
    await page.getByLabel('Categories', { exact: true }).check()
    await page.getByText('Nothing stands in the way.').waitFor()
    await page.getByText('for the trial run').waitFor()
    await page.getByText('Changes nothing in either store.').waitFor()
    await page.getByText('Tries out copying categories and brands').waitFor()
    await page.getByLabel('Name (optional)').fill('First try')
    await sound(tab, 'new-migration-filled')
    await page.reload()
    await heading(tab, 'New migration')
    expect(await page.getByLabel('Name (optional)').inputValue()).toBe('First try')
    expect(await page.getByLabel('Categories', { exact: true }).isChecked()).toBe(true)
    await page.getByText('Nothing stands in the way.').waitFor()
    await page.getByRole('button', { name: 'Start trial run' }).dblclick()
    await heading(tab, 'First try')
    await page.getByText('Done', { exact: true }).first().waitFor()
    await page
      .getByText(/would be copied/)
      .first()
      .waitFor()
    await soundAtLength(tab, 'trial-run-done')
    await page.getByRole('link', { name: 'What it would do' }).click()
    const [brand] = (await world.state('source')).brands ?? []
    const brandRow = page.getByRole('row').filter({ hasText: String(brand?.name) })
    await brandRow.getByText('Would be copied').waitFor()
    await page.getByRole('combobox', { name: 'What' }).selectOption('Would be deleted')
    await page.getByText('Nothing matches', { exact: true }).waitFor()
    await page.getByRole('combobox', { name: 'What' }).selectOption('All')
    await brandRow.waitFor()
    await sound(tab, 'what-it-would-do')
    expect(await countRuns(organisationId)).toBe(1)

    await page.getByRole('link', { name: 'Now copy for real' }).click()
    await heading(tab, 'New migration')
    await page.getByText('The choices are those of the trial run “First try”.').waitFor()
    expect(await page.getByLabel('Brands', { exact: true }).isChecked()).toBe(true)
    await page.getByText('Creates items that the destination does not have.').waitFor()
    await press('Start copying')
    await heading(tab, 'First try')
    await page.getByText('Done', { exact: true }).first().waitFor()
    expect((await world.state('destination')).brands).toHaveLength((await world.state('source')).brands?.length ?? -1)
    await open(tab, '/app/migrations/new', 'New migration')
    expect(await page.getByLabel('Copy from').inputValue()).toBe('')
    expect(tab.complaints).toEqual([])
    await tab.close()
    await own.stop()
  }, 120_000)

  async function countRuns(organisationId: string): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from runs where organisation_id = ${organisationId}`.execute(portal.world.database)
    return rows[0]?.count ?? 0
  }

  /** Known by name only: nobody reads it. */
  async function aThirdStore() {
    const { database, organisationId } = portal.world
    await sql`
      insert into stores select (jsonb_populate_record(src,
        jsonb_build_object('id', gen_random_uuid(), 'hash', 'third', 'label', 'Third shop'))).*
      from stores src where organisation_id = ${organisationId} and hash = ${portal.world.address('source').hash}`.execute(
      database,
    )
  }
  async function aRun(label: string, source: string, status = 'completed', createdAt = new Date()) {
    const { database, organisationId } = portal.world
    await sql`
      insert into runs (id, organisation_id, source_store_id, destination_store_id, mode, conflict_strategy, auto_heal, settings,
        selective, phases, status, label, created_at)
      select gen_random_uuid(), src.organisation_id, src.id, dst.id, 'full', 'skip', true, '{}', false, '[]', ${status}, ${label},
        ${createdAt}
      from stores src join stores dst on dst.organisation_id = src.organisation_id
      where src.organisation_id = ${organisationId} and src.hash = ${source}
        and dst.hash = ${portal.world.address('destination').hash}`.execute(database)
  }

  test('an agency with many stores finds one by its name or hash, which stays in the address', async () => {
    const { database, anotherOrganisation } = portal.world
    const { organisationId } = await anotherOrganisation('Agency', [])
    const agent = await portal.person({ role: 'operator', organizationId: organisationId })
    await sql`insert into stores (id, organisation_id, hash, label, token_encrypted)
      select gen_random_uuid(), ${organisationId}, 'agency' || n, 'Client ' || n, '' from generate_series(1, 40) n`.execute(
      database,
    )
    const tab = await portal.tab(agent)
    const { page } = tab
    await open(tab, '/app/stores', 'Stores')
    await page.getByRole('searchbox', { name: 'Name or hash' }).fill('client 37')
    const cards = page.getByRole('main').getByRole('heading', { level: 2 })
    await until('one store is left', async () => String(await cards.allInnerTexts()) === 'Client 37')
    await page.getByRole('status').filter({ hasText: '1 result.' }).waitFor({ state: 'attached' })
    await page.reload()
    await until('one store is left', async () => String(await cards.allInnerTexts()) === 'Client 37')
    await sound(tab, 'stores-found')
    await page.getByRole('searchbox').fill('agency4')
    await until('two stores are left', async () => String(await cards.allInnerTexts()) === 'Client 4,Client 40')
    await page.getByRole('searchbox').fill('nobody')
    await page.getByText('No store matches').waitFor()
    await page.getByRole('link', { name: 'Clear filters' }).click()
    await until('all stores are there', async () => (await cards.count()) === 40)
    await tab.close()
  })

  longTest(
    'a store shows what it is and holds and its own migrations, its items are searched and opened, and it is renamed and disconnected',
    async () => {
      const { world } = portal
      const { hash } = world.address('source')
      await aThirdStore()
      await aRun('Copy of its own', hash)
      await aRun('Copy of another store', 'third')
      const tab = await portal.tab(owner, /422/)
      const { page } = tab
      await open(tab, '/app/stores', 'Stores')
      await sound(tab, 'stores')
      await page.getByRole('link', { name: 'source', exact: true }).click()
      await heading(tab, 'source')
      await page.getByText('Works', { exact: true }).waitFor()
      await page.getByText(/Products: \d+/).waitFor()
      const theirs = page.getByRole('table', { name: 'Latest migrations of source' })
      await theirs.getByRole('link', { name: 'Copy of its own' }).waitFor()
      expect(await theirs.getByRole('link').count()).toBe(1)
      await sound(tab, 'store')
      const yesterday = new Date(Date.now() - 86_400_000)
      await aRun('Long paused copy', hash, 'paused', yesterday)
      for (const label of ['Second', 'Third', 'Fourth', 'Fifth']) await aRun(`${label} copy`, hash)
      await page.reload()
      await page.getByText('It is in use by Long paused copy.').waitFor()
      await sql`update runs set status = 'cancelled' where label = 'Long paused copy'`.execute(world.database)
      await page.reload()
      await page.getByRole('link', { name: 'Brands', exact: true }).click()
      await heading(tab, 'Brands')
      const [brand] = (await world.state('source')).brands ?? []
      const name = String(brand?.name)
      await page.getByRole('searchbox').fill(name)
      const item = page.getByRole('link', { name, exact: true })
      await item.waitFor()
      await soundAtLength(tab, 'browse')
      await item.click()
      const fields = page.getByRole('dialog', { name })
      await fields.getByText('page title').waitFor()
      await soundAtLength(tab, 'browse-item')
      await page.goBack()
      await fields.waitFor({ state: 'hidden' })
      expect(await page.getByRole('searchbox').inputValue()).toBe(name)
      await item.click()
      await page.reload()
      await fields.getByText('page title').waitFor()
      await page.keyboard.press('Escape')
      await fields.waitFor({ state: 'hidden' })
      expect(new URL(page.url()).searchParams.has('item')).toBe(false)
      await open(tab, `/app/stores/${hash}/browse/customers`, 'Customers')
      await page.getByText('Only ids are shown').waitFor()
      expect(await page.getByRole('searchbox').count()).toBe(0)
      await open(tab, `/app/stores/${hash}`, 'source')
      await page.getByRole('button', { name: 'Rename' }).click()
      await page.getByRole('dialog').getByLabel('Name').fill('')
      await page.getByRole('dialog').getByRole('button', { name: 'Save the name' }).click()
      await page.getByRole('dialog').getByText('Must not be empty.').waitFor()
      await page.getByRole('dialog').getByLabel('Name').and(page.locator(':focus')).fill('Lamps  & more')
      await page.keyboard.press('Enter')
      await heading(tab, 'Lamps & more')
      await page.getByRole('button', { name: 'Disconnect' }).click()
      const question = page.getByRole('dialog', { name: 'Disconnect Lamps & more?' })
      await question.getByText('The name does not match yet.').waitFor()
      await soundAtLength(tab, 'disconnect')
      await question.getByLabel('Type Lamps & more to confirm').fill('Lamps & more')
      await question.getByRole('button', { name: 'Disconnect' }).click()
      await heading(tab, 'Stores')
      await page.getByRole('link', { name: 'Lamps & more' }).waitFor({ state: 'detached' })
      await world.reconnect('source', world.address('source').token)
      await tab.close()
    },
  )

  longTest(
    'a store that refuses its token says so on its page and on Home, and gets a new token under its old name',
    async () => {
      const { world } = portal
      const { hash } = world.address('destination')
      await world.token('destination', { action: 'revoke' })
      const tab = await portal.tab(owner, /502/)
      const { page } = tab
      await open(tab, `/app/stores/${hash}`, 'destination')
      await page.getByText('BigCommerce does not accept the token of this store any more.').waitFor()
      await soundAtLength(tab, 'store-refused')
      await open(tab, '/app', 'Home')
      await page.getByRole('region', { name: 'Stores that need you' }).getByText('Token refused').waitFor()
      await page.getByRole('link', { name: 'destination', exact: true }).click()
      await page.getByRole('link', { name: 'Give a new token' }).first().click()
      await heading(tab, 'New token for destination')
      expect(await page.getByLabel('API path or store hash').inputValue()).toBe(hash)
      await world.token('destination', { action: 'replace', token: 'a-fresh-token' })
      await page.getByLabel('Access token').fill('a-fresh-token')
      await page.getByRole('button', { name: 'Check and connect' }).click()
      await page.getByText(/^Connected: /).waitFor()
      expect(await page.getByLabel('Name in Storeferry').inputValue()).toBe('destination')
      await tab.close()
    },
  )

  longTest(
    'a store that gets a token with more scopes keeps its name, and is not said to lack what the one before lacked',
    async () => {
      const { hash, token } = portal.world.address('source')
      const tab = await portal.tab(owner)
      const { page } = tab
      await page.route(`**/v2/stores/${hash}`, async (route) => {
        const response = await route.fetch()
        const store = await response.json()
        const access = { ...store.access, missingScopes: ['store_v2_marketing_read_only'] }
        await route.fulfill({ response, json: { ...store, access } })
      })
      await page.goto(at(`/app/stores/${hash}`))
      await page.getByText(/^Missing: /).waitFor()
      await page.unrouteAll()
      await page.getByRole('link', { name: 'Give a new token' }).click()
      await page.getByLabel('Access token').fill(token)
      const rename = (label: string) =>
        sql`update stores set label = ${label} where hash = ${hash} and organisation_id = ${portal.world.organisationId}`.execute(
          portal.world.database,
        )
      // By another owner, in the meantime.
      await rename('Old shop')
      await page.getByRole('button', { name: 'Check and connect' }).click()
      await page.getByText(/^Connected: /).waitFor()
      expect(await page.getByLabel('Name in Storeferry').inputValue()).toBe('Old shop')
      await rename('source')
      await page.getByText('The token may read everything that Storeferry copies.').waitFor()
      await tab.close()
    },
  )

  longTest('a store that does not answer is not said to have all the scopes that it lacked before', async () => {
    const { hash, token } = portal.world.address('source')
    const tab = await portal.tab(owner, /ERR_FAILED/)
    const { page } = tab
    const lacking = { missingScopes: ['store_v2_marketing_read_only'] }
    await page.route('**/v2/stores', async (route) => {
      const response = await route.fetch()
      const given = await response.json()
      await route.fulfill({ response, json: route.request().method() === 'POST' ? { ...given, ...lacking } : given })
    })
    await open(tab, `/app/stores/connect?hash=${hash}`, 'New token for source')
    await page.getByLabel('Access token').fill(token)
    await page.getByRole('button', { name: 'Check and connect' }).click()
    const missing = page.getByText('Missing: Marketing')
    const check = async () => page.getByRole('button', { name: 'Check again' }).click()
    await missing.waitFor()
    const silent = { reachable: false, state: 'silent', missingScopes: [], message: 'No answer.' }
    const theStore = `**/v2/stores/${hash}`
    await page.route(theStore, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), access: silent } })
    })
    await check()
    await page.getByText('The store did not answer. Check again in a minute.').waitFor()
    expect(await missing.count()).toBe(1)
    await page.unroute(theStore)
    await page.route(theStore, (route) => route.abort())
    await check()
    await page.getByText('The service does not answer. Check your connection, then try again.').waitFor()
    await page.unroute(theStore)
    await check()
    await page.getByText('The token may read everything that Storeferry copies.').waitFor()
    await tab.close()
  })

  test('a service with an app says that a store can be connected without a token, and one without an app does not', async () => {
    const tab = await portal.tab(owner)
    const { page } = tab
    const way = page.getByText('install the app of this service')
    await open(tab, '/app/stores/connect', 'Connect a store')
    expect(await way.count()).toBe(0)
    await page.route('**/v2/session', async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, json: { ...(await answer.json()), connectsByApp: true } })
    })
    await page.reload()
    await way.waitFor()
    await soundAtLength(tab, 'connect-by-app')
    await tab.close()
  })

  longTest(
    'an operator reads who connects stores and who widens deletions, and a viewer that viewers start nothing',
    async () => {
      const world = (side: 'source' | 'destination') => portal.world.address(side).hash
      const operator = await portal.tab(await portal.person({ role: 'operator' }))
      await open(operator, '/app/stores', 'Stores')
      await operator.page.getByText(/^Only owners connect and change stores: .*Olive Reed/).waitFor()
      await open(operator, '/app/stores/connect', 'Connect a store')
      await operator.page.getByRole('button', { name: 'Check and connect' }).click({ force: true })
      await soundAtLength(operator, 'connect-store-operator')
      const { source, destination } = { source: world('source'), destination: world('destination') }
      await open(operator, `/app/migrations/new?source=${source}&destination=${destination}`, 'New migration')
      await operator.page.getByLabel('Make the destination match').check()
      await operator.page.getByLabel('Show me the list before anything is deleted').uncheck()
      await operator.page.getByLabel('Items in all').fill('101')
      await operator.page.getByText(/^Beyond either, .* Only an owner can allow this: .*Olive Reed/).waitFor()
      const theirs = { conflictStrategy: 'replace', pruneLive: ['customers'], mode: 'counts', entities: ['customers'] }
      await open(operator, `/app/migrations/new?from=${await portal.world.migrate(theirs)}`, 'New migration')
      const start = operator.page.getByRole('region', { name: '5. Start' })
      await start.getByText(/^Only an owner can allow this: .*Olive Reed/).waitFor()
      await operator.page.getByText('What shoppers made', { exact: true }).click()
      await operator.page.getByRole('checkbox', { name: 'Customers', exact: true }).last().uncheck()
      await start.getByText(/^Only an owner can allow this/).waitFor({ state: 'hidden' })
      await operator.close()
      const viewer = await portal.tab(await portal.person({ role: 'viewer' }))
      await open(viewer, '/app/migrations/new', 'New migration')
      await viewer.page
        .getByText('Viewers cannot start, change or sign migrations. Ask an owner or operator.')
        .first()
        .waitFor()
      await soundAtLength(viewer, 'new-migration-viewer')
      await viewer.close()
    },
  )

  longTest(
    'what deletes says so, asks for the name of the destination, and is started once with a list to confirm',
    async () => {
      const { world } = portal
      const tab = await portal.tab(owner)
      const { page } = tab
      const query = `source=${world.address('source').hash}&destination=${world.address('destination').hash}`
      await open(tab, `/app/migrations/new?${query}`, 'New migration')
      await page.getByLabel('Picked items').check()
      await page.getByLabel('Kind', { exact: true }).selectOption('brands')
      const [brand] = (await world.state('source')).brands ?? []
      await page.getByLabel(String(brand?.name)).check()
      await page.getByText('1 item', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Add these ids' }).click()
      await page.getByText('Paste at least one id.').waitFor()
      await page.getByLabel('Paste ids').fill('x1')
      await page.getByRole('button', { name: 'Add these ids' }).click()
      await page.getByText('x1: ids are whole numbers.').waitFor()
      await page.getByLabel('Paste ids').fill('999')
      await page.getByRole('button', { name: 'Add these ids' }).click()
      await page.getByRole('button', { name: 'Remove 999' }).press('Enter')
      await page.getByRole('region', { name: 'Picked' }).and(page.locator(':focus')).waitFor()
      await page.getByText('1 item', { exact: true }).waitFor()
      await soundAtLength(tab, 'new-migration-picks')
      await page.getByLabel('Some kinds').check()
      await page.getByLabel('Brands', { exact: true }).check()
      await page.getByLabel('Make the destination match').check()
      await page.getByLabel('Copy now').check()
      await page
        .getByText('Deletes catalog and content that only the destination has, after you saw the list.')
        .waitFor()
      await page.getByText('More settings').click()
      await page.getByLabel('Awaiting shipment').check()
      await page.getByRole('list', { name: 'What a copy would do, estimated' }).getByText('seem changed').waitFor()
      await page.getByLabel('Show me the list before anything is deleted').uncheck()
      await page.getByText('Asks before more than 20% of a kind or 100 items.').waitFor()
      await page.getByLabel('Percent of a kind').fill('101')
      await page.getByText('Enter a whole number from 0 to 100.').first().waitFor()
      await page.getByLabel('Percent of a kind').fill('30')
      await page.getByText('That is more than usual: 20% and 100 items.').waitFor()
      await soundAtLength(tab, 'new-migration-limits')
      await page.getByLabel('Show me the list before anything is deleted').check()
      await page.getByText('Type the name of the destination first.').waitFor()
      await sound(tab, 'new-migration-replace')
      await page.getByLabel('Type destination to confirm').fill('destination')
      await page.getByLabel('Name (optional)').fill('Match it')
      const before = await countRuns(world.organisationId)
      await page.getByRole('button', { name: 'Start, ask before deleting' }).dblclick()
      await heading(tab, 'Match it')
      expect(await countRuns(world.organisationId)).toBe(before + 1)
      const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
      await until('it has ended', async () => ['completed', 'paused'].includes((await world.detail(id)).status))
      await page.getByRole('link', { name: 'Settings' }).click()
      await page.getByText('Anything', { exact: true }).waitFor()
      await tab.close()
    },
  )

  longTest('a forecast of other choices is not called one of these', async () => {
    const { world } = portal
    const tab = await portal.tab(owner)
    const { page } = tab
    const query = `source=${world.address('source').hash}&destination=${world.address('destination').hash}`
    await open(tab, `/app/migrations/new?${query}`, 'New migration')
    const card = page.getByRole('complementary', { name: 'Forecast' })
    await card.getByText(/^for the trial run, /).waitFor()
    const answer = Promise.withResolvers<void>()
    await page.route('**/v2/forecast', async (route) => {
      await answer.promise
      await route.continue()
    })
    await page.getByLabel('Copy now').check()
    await card.getByText('for your choices before. Working it out anew…').waitFor()
    expect(await card.getByText(/^for the /).count()).toBe(0)
    answer.resolve()
    await card.getByText(/^for the copy, /).waitFor()
    expect(tab.complaints).toEqual([])
    await tab.close()
  })

  longTest('a store that is not connected any more is not among the choices that were kept', async () => {
    const { world } = portal
    const tab = await portal.tab(owner)
    const { page } = tab
    const { hash } = world.address('source')
    await open(tab, `/app/migrations/new?source=${hash}&destination=gone0`, 'New migration')
    const start = page.getByRole('region', { name: '5. Start' })
    await start.getByText('Choose the store to copy to.').waitFor()
    expect(await page.getByLabel('Copy from').inputValue()).toBe(hash)
    expect(tab.complaints).toEqual([])
    await tab.close()
  })

  longTest('a copy is not started before it is known whether its destination is a shop in use', async () => {
    const { world } = portal
    const tab = await portal.tab(owner)
    const { page } = tab
    const live = { domain: 'shop.example', ordersIn30Days: 12 }
    let answer = () => {}
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/v2/preflight', async (route) => {
      await isAnswered
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), destinationLive: live } })
    })
    const query = `source=${world.address('source').hash}&destination=${world.address('destination').hash}`
    await open(tab, `/app/migrations/new?${query}`, 'New migration')
    await page.getByLabel('Copy now').check()
    const start = page.getByRole('region', { name: '5. Start' })
    await start.getByText('Both stores are still being looked at; see Check.').waitFor()
    const before = await countRuns(world.organisationId)
    await start.getByRole('button', { name: 'Start copying' }).click({ force: true })
    answer()
    await start.getByText('took 12 orders in the last 30 days').waitFor()
    await start.getByText('Type the name of the destination first.').waitFor()
    expect(await countRuns(world.organisationId)).toBe(before)
    await tab.close()
  })

  longTest('a copy into a store that could not be looked at asks for its name, as into a shop in use', async () => {
    const { world } = portal
    const tab = await portal.tab(owner, /500/)
    const { page } = tab
    const fault = { status: 500, contentType: 'application/json', body: '{"error":"internal_error","message":"x"}' }
    await page.route('**/v2/preflight', (route) => route.fulfill(fault))
    const query = `source=${world.address('source').hash}&destination=${world.address('destination').hash}`
    await open(tab, `/app/migrations/new?${query}`, 'New migration')
    await page.getByLabel('Copy now').check()
    const start = page.getByRole('region', { name: '5. Start' })
    await start.getByText('Whether the destination is a shop in use is not known: see Check.').waitFor()
    await start.getByText('Type the name of the destination first.').waitFor()
    const before = await countRuns(world.organisationId)
    await start.getByRole('button', { name: 'Start copying' }).click({ force: true })
    await soundAtLength(tab, 'new-migration-unknown')
    expect(await countRuns(world.organisationId)).toBe(before)
    await tab.close()
  })

  longTest('stores that cannot be asked at all are asked again once, and not for ever', async () => {
    const { world } = portal
    const tab = await portal.tab(owner, /ERR_FAILED/)
    const { page } = tab
    let asked = 0
    await page.route(/\/v2\/(preflight|forecast)$/, async (route) => {
      asked += 1
      await route.abort()
    })
    await page.clock.install()
    const query = `source=${world.address('source').hash}&destination=${world.address('destination').hash}`
    await open(tab, `/app/migrations/new?${query}`, 'New migration')
    const check = page.getByRole('region', { name: '4. Check' })
    await check.getByText('The service does not answer. Check your connection, then try again.').waitFor()
    await page.clock.runFor(60_000)
    expect(asked).toBe(4)
    await tab.close()
  })

  longTest('a migration that is run again does what only a program had asked it for, and says so before', async () => {
    const { world } = portal
    const asked = { mode: 'counts', entities: ['customers'], recreateErased: ['customers'], deepImages: true }
    const tab = await portal.tab(owner)
    const { page } = tab
    await open(tab, `/app/migrations/new?from=${await world.migrate(asked)}`, 'New migration')
    const forecast = page.getByRole('complementary', { name: 'Forecast' })
    const createsAgain = forecast.getByText(/^. Creates people’s data again that was deleted there/)
    await createsAgain.waitFor()
    await page.getByText('More settings', { exact: true }).click()
    expect(await page.getByLabel('Compare sizes of pictures').isChecked()).toBe(true)
    await page.getByText(/Values your shop changes itself stay, unless you choose to overwrite them\.$/).waitFor()
    const group = page.getByRole('group', { name: 'Created again if deleted' })
    const ofCustomers = group.getByRole('checkbox', { name: 'Customers', exact: true })
    expect(await ofCustomers.isChecked()).toBe(true)
    await soundAtLength(tab, 'new-migration-again')
    await page.getByLabel('Name (optional)').fill('Once more')
    await page.getByRole('button', { name: 'Start copying' }).click()
    await heading(tab, 'Once more')
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByText('Created again if deleted').waitFor()
    await open(tab, `/app/migrations/new?from=${await world.migrate(asked)}`, 'New migration')
    await page.getByText('More settings', { exact: true }).click()
    await ofCustomers.uncheck()
    await createsAgain.waitFor({ state: 'hidden' })
    await tab.close()
  })

  longTest('what is said about the time and the numbers of a copy is not that of the choices before', async () => {
    const { world } = portal
    const tab = await portal.tab(owner)
    const { page } = tab
    const query = `source=${world.address('source').hash}&destination=${world.address('destination').hash}`
    await open(tab, `/app/migrations/new?${query}`, 'New migration')
    const start = page.getByRole('region', { name: '5. Start' })
    const numbers = page.getByRole('list', { name: 'What a copy would do, estimated' })
    await start.getByText(/Takes about/).waitFor()
    await numbers.waitFor()
    await page.route('**/v2/forecast', () => {})
    await page.getByLabel('Make the destination match').check()
    await page.getByLabel('Copy now').check()
    await start.getByText(/^Copies everything from/).waitFor()
    expect(await start.getByText(/Takes about/).count()).toBe(0)
    expect(await numbers.count()).toBe(0)
    await tab.close()
  })

  longTest(
    'items that were picked in one store are not looked for in another one that is copied from next',
    async () => {
      const { world } = portal
      const tab = await portal.tab(owner)
      const { page } = tab
      const picked = page.getByRole('region', { name: 'Picked' })
      const [from, to] = [world.address('source').hash, world.address('destination').hash]
      await open(tab, `/app/migrations/new?source=${from}&destination=${to}`, 'New migration')
      await page.getByLabel('Picked items').check()
      await page.getByLabel('Paste ids').fill('7')
      await page.getByRole('button', { name: 'Add these ids' }).click()
      await picked.getByText('1 item', { exact: true }).waitFor()
      await open(tab, `/app/migrations/new?source=${from}`, 'New migration')
      await picked.getByText('1 item', { exact: true }).waitFor()
      await open(tab, `/app/migrations/new?source=${to}&destination=${from}`, 'New migration')
      await picked.getByText('Nothing picked yet').waitFor()
      await tab.close()
    },
  )

  test('a store whose pages have no content of their own offers no page template, and says so', async () => {
    const tab = await portal.tab(owner)
    const { page } = tab
    await open(tab, `/app/migrations/new?source=${portal.world.address('destination').hash}`, 'New migration')
    await page.route('**/page-templates*', (route) => route.fulfill({ json: { items: [], siteWide: false } }))
    await page.getByLabel('Pages by template').check()
    await page.getByText('No page of this store has content of its own. Choose something else to copy.').waitFor()
    expect(tab.complaints).toEqual([])
    await tab.close()
  })

  longTest('a page template that was chosen and that the store has no pages of any more can be given up', async () => {
    const tab = await portal.tab(owner)
    const { page } = tab
    const [source, destination] = [portal.world.address('source').hash, portal.world.address('destination').hash]
    const offer = (files: string[], siteWide: boolean) =>
      page.route('**/page-templates*', (route) =>
        route.fulfill({ json: { items: files.map((file) => ({ file, pages: 2 })), siteWide } }),
      )
    await offer(['pages/home', 'pages/lookbook'], true)
    await open(tab, `/app/migrations/new?source=${source}&destination=${destination}`, 'New migration')
    await page.getByLabel('Pages by template').check()
    await page.getByLabel('pages/lookbook 2 pages').check()
    await page.getByLabel('Also copy the widgets on all pages, such as in header and footer').check()
    await page.getByText('Only if the destination’s storefront has none of its own.').waitFor()
    await page.getByRole('radio', { name: 'Add and update' }).check()
    await page.getByText('Replaces those of the destination’s storefront.').waitFor()
    await offer(['pages/home'], false)
    await page.reload()
    await page.getByLabel('pages/home 2 pages').waitFor()
    await page.getByLabel('Also copy the widgets on all pages, such as in header and footer').uncheck()
    await page.getByText('No page of the store uses it now.').waitFor()
    await page.getByLabel('pages/lookbook').uncheck()
    await page.getByText('Choose at least one page template.').first().waitFor()
    await page.getByLabel('pages/lookbook').and(page.locator(':focus')).waitFor()
    await tab.close()
  })

  longTest('one of many picked items is found and removed, which is not among the first', async () => {
    const tab = await portal.tab(owner)
    const { page } = tab
    await open(tab, `/app/migrations/new?source=${portal.world.address('source').hash}`, 'New migration')
    await page.getByLabel('Picked items').check()
    const ids = Array.from({ length: 40 }, (_, at) => 9_000_001 + at)
    await page.getByLabel('Paste ids').fill(ids.join(' '))
    await page.getByRole('button', { name: 'Add these ids' }).click()
    const picked = page.getByRole('region', { name: 'Picked' })
    await picked.getByRole('status').getByText('40 items').waitFor()
    await picked.getByText('and 20 more').waitFor()
    await picked.getByRole('searchbox', { name: 'Find among the picked' }).fill('9000033')
    await picked.getByRole('button', { name: 'Remove 9000033' }).click()
    await picked.getByText('39 items', { exact: true }).waitFor()
    await picked.getByText('Nothing matches.').waitFor()
    await soundAtLength(tab, 'new-migration-many-picks')
    await tab.close()
  })

  longTest('products are picked by the SKUs of a pasted column, also while others are picked', async () => {
    const { world } = portal
    const [one, two, three] = ((await world.state('source')).products ?? []).filter(({ sku }) => sku)
    if (!one || !two || !three) throw new Error('Three products of the source need SKUs.')
    // Numbers may be SKUs as well as ids.
    await world.change('source', {
      op: 'set',
      table: 'products',
      id: Number(one.id),
      fields: { sku: String(three.id) },
    })
    const tab = await portal.tab(owner)
    const { page } = tab
    const picked = page.getByRole('region', { name: 'Picked' })
    const { hash } = world.address('source')
    await open(tab, `/app/migrations/new?source=${hash}`, 'New migration')
    await page.getByLabel('Picked items').check()
    const field = page.getByLabel('Paste ids or SKUs')
    const asked = Promise.withResolvers<Route>()
    await page.route(`**/catalog/products?text=${three.id}*`, asked.resolve, { times: 1 })
    await field.fill(`${three.id}\n ${String(two.sku).toLowerCase()}\nno such SKU\n`)
    await page.getByRole('button', { name: 'Add these SKUs' }).click()
    const waits = await asked.promise
    await page.getByRole('group', { name: 'Products of the store' }).getByLabel(String(three.name)).check()
    await waits.continue()
    await picked.getByText('3 items', { exact: true }).waitFor()
    for (const { name } of [one, two, three]) await picked.getByText(String(name), { exact: true }).waitFor()
    await page.getByText('No product has the SKU no such SKU. For a variant, give the SKU of its product.').waitFor()
    expect(await field.inputValue()).toBe('no such SKU')
    await expectSound(tab, 'paste-skus')
    await tab.close()
  })

  longTest(
    'choices are cleared only after a question, because a click beside them would lose what was picked',
    async () => {
      const tab = await portal.tab(owner)
      const { page } = tab
      await open(tab, `/app/migrations/new?source=${portal.world.address('source').hash}`, 'New migration')
      await page.getByLabel('Picked items').check()
      await page.getByLabel('Paste ids').fill('7')
      await page.getByRole('button', { name: 'Add these ids' }).click()
      const picked = page.getByRole('region', { name: 'Picked' }).getByText('1 item', { exact: true })
      const question = page.getByRole('dialog', { name: 'Clear all choices?' })
      for (const [answer, left] of [
        ['Keep them', 1],
        ['Clear all choices', 0],
      ] as const) {
        await page.getByRole('main').getByRole('button', { name: 'Clear all choices' }).first().click()
        await question.getByRole('button', { name: 'Keep them' }).and(page.locator(':focus')).waitFor()
        await question.getByRole('button', { name: answer }).click()
        await question.waitFor({ state: 'hidden' })
        expect(await picked.count()).toBe(left)
      }
      expect(await page.getByRole('radio', { name: /^Everything/ }).isChecked()).toBe(true)
      await tab.close()
    },
  )

  longTest('choices that the browser has no room for stay on the screen, and start one migration', async () => {
    const { world } = portal
    const tab = await portal.tab(owner, /ERR_FAILED/)
    const { page } = tab
    const query = `source=${world.address('source').hash}&destination=${world.address('destination').hash}`
    await open(tab, `/app/migrations/new?${query}`, 'New migration')
    await page.getByText('Your choices are kept in this browser.').waitFor()
    await page.evaluate(`for (let size = 2 ** 22; size >= 1; )
      try { localStorage.setItem(crypto.randomUUID(), 'x'.repeat(size)) } catch { size >>= 1 }`)
    const label = `No room ${'x'.repeat(200)}`
    await page.getByLabel('Name (optional)').fill(label)
    await page.getByText('This browser has no room for your choices').waitFor()
    expect(await page.getByLabel('Name (optional)').inputValue()).toBe(label)
    await page.getByText('Nothing stands in the way.').waitFor()
    const loseTheAnswer = async (route: Route) => {
      await route.fetch()
      await route.abort()
    }
    await page.route('**/v2/migrations', loseTheAnswer, { times: 1 })
    await page.getByRole('button', { name: 'Start trial run' }).click()
    await page.getByText('The service does not answer. Check your connection, then try again.').first().waitFor()
    await page.getByRole('button', { name: 'Start trial run' }).click()
    await heading(tab, label)
    const { rows } = await sql`select from runs where label = ${label}`.execute(world.database)
    expect(rows).toHaveLength(1)
    await tab.close()
  })

  longTest('signed out in the middle, a person signs in and finds everything filled in', async () => {
    const { world } = portal
    const person = await portal.person({ role: 'operator', withPassword: true })
    const tab = await portal.tab(person, /401/)
    const { page } = tab
    await open(tab, `/app/migrations/new?source=${world.address('source').hash}`, 'New migration')
    await page.getByLabel('Copy to').selectOption(world.address('destination').hash)
    await page.getByLabel('Name (optional)').fill('Half done')
    await page.getByText('Nothing stands in the way.').waitFor()
    await sql`delete from sessions where user_id = ${person.userId}`.execute(world.database)
    await page.getByRole('button', { name: 'Start trial run' }).click()
    const dialog = page.getByRole('dialog', { name: 'You have been signed out' })
    const opened = page.context().waitForEvent('page')
    await dialog.getByRole('link', { name: 'Sign in' }).click()
    const signIn = await opened
    await signIn.getByLabel(/e-?mail/i).fill(person.email)
    await signIn.getByLabel('Password').fill('a password long enough')
    await signIn.getByRole('button', { name: 'Sign in' }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect(await page.getByLabel('Name (optional)').inputValue()).toBe('Half done')
    expect(await page.getByLabel('Copy to').inputValue()).toBe(world.address('destination').hash)
    await page.getByRole('button', { name: 'Start trial run' }).click()
    await heading(tab, 'Half done')
    await tab.close()
  })
})
