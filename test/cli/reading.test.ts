import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { keepToken } from '../../cli/shared/kept-token.ts'
import { systemClock } from '../../src/clock.ts'
import type { Difference } from '../../src/contract/differences.ts'
import type { Issue } from '../../src/contract/issues.ts'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { until } from '../harness/until.ts'
import { runCommandHere } from './run-command.ts'
import { startProgram } from './run-program.ts'
import { aSignedInWorld, loginOf, type SignedInWorld } from './signed-in-world.ts'

interface FailedCopy extends SignedInWorld {
  migration: MigrationDetail
  verification: MigrationDetail
}

/** A copy of which two brands failed, and its comparison. */
async function aFailedCopy(): Promise<FailedCopy> {
  const world = await aSignedInWorld(['brands'])
  await world.world.fault('destination', {
    kind: 'error_before_applying',
    method: 'POST',
    path: '^/v3/catalog/brands$',
    status: 422,
    times: 2,
  })
  const command = ['migrate', ...world.pair, '--entities', 'brands', '--no-auto-heal', '--label', 'Tuesday']
  const printed = await world.storeferry([...command, '--verify', '--json'], { code: 4 })
  return { ...world, ...JSON.parse(printed) }
}

/** Stories that read share one. */
let here: FailedCopy

beforeAll(async () => {
  here = await aFailedCopy()
})

afterAll(() => here.stop())

test('migrate --verify compares the stores after failures as well, and ends with 4', () => {
  const { migration, verification } = here
  expect(migration).toMatchObject({ mode: 'full', status: 'partial_completed', failuresOpen: 2 })
  expect(verification).toMatchObject({ mode: 'verify', failuresOpen: 2 })
})

test('migrate --verify --json prints the copy and the refusal when the comparison is refused, and ends with 1', async () => {
  const { database, organisationId } = here.world
  const become = (role: string) =>
    sql`update memberships set role = ${role} where organisation_id = ${organisationId}`.execute(database)
  onTestFinished(async () => void (await become('owner')))
  const clock = {
    ...systemClock,
    // While the copy is followed.
    sleep: async (ms: number, signal?: AbortSignal) => {
      await become('viewer')
      await systemClock.sleep(ms / 10, signal)
    },
  }
  // It writes nothing that other stories would see.
  const args = ['migrate', ...here.pair, '--entities', 'brands', '--dry-run', '--verify', '--json']
  const { code, output, errors } = await runCommandHere(args, { environment: here.environment, clock })
  expect(code).toBe(1)
  expect(JSON.parse(output)).toEqual({
    migration: expect.objectContaining({ requestId: expect.any(String), mode: 'dry-run', status: 'completed' }),
    verification: null,
    refusal: { error: 'forbidden', message: expect.stringMatching(/^Your role does not permit this/) },
  })
  expect(errors).toBe(`storeferry: ${JSON.parse(output).refusal.message}\n`)
})

test('issues are narrowed by filters, counted by code, and printed as JSON and CSV', async () => {
  const { requestId } = here.migration
  const shown = await here.storeferry(['issues', requestId, '--severity', 'failure', '--component', 'brands'])
  expect(shown).toMatch(/^In all: 2 \w+\.$/m)
  expect(await here.storeferry(['issues', requestId, '--state', 'healed'])).toBe('No issues match.\n')
  const issues: Issue[] = JSON.parse(await here.storeferry(['issues', requestId, '--severity', 'failure', '--json']))
  expect(issues.map(({ component }) => component)).toEqual(['brands', 'brands'])
  expect(await here.storeferry(['issues', requestId, '--text', 'no such brand', '--json'])).toBe('[]\n')
  const csv = await here.storeferry(['issues', requestId, '--severity', 'failure', '--csv'])
  expect(csv.split('\r\n').map((line) => line.split(',')[1])).toEqual(['"phase"', '"brands"', '"brands"', undefined])
  const summary = await here.storeferry(['issues', requestId, '--summary'], { columns: 80 })
  expect(summary).toMatch(new RegExp(`^${issues[0]?.code} +2 +2 +0$`, 'm'))
  const code = issues[0]?.code ?? ''
  expect(await here.storeferry(['issues', requestId, '--summary', '--phase', 'brands', '--code', code])).toContain(code)
  expect(await here.storeferry(['issues', requestId, '--summary', '--phase', 'brands', '--state', 'healed'])).toBe(
    'No issues match.\n',
  )
  const [table = '', remedies = ''] = summary.split('\n\n')
  expect(Math.max(...table.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
  expect(remedies).toContain(`${code}\n  ${issues[0]?.remedy}\n`)
})

test('without a migration, the issues of all of them are listed, searched and counted', async () => {
  const { requestId } = here.migration
  const shown = await here.storeferry(['issues', '--severity', 'failure', '--phase', 'brands'])
  expect(shown).toContain(`migration ${requestId}\nfailure (open) `)
  const issues: Issue[] = JSON.parse(await here.storeferry(['issues', '--severity', 'failure', '--json']))
  expect(issues.filter((issue) => issue.requestId === requestId)).toHaveLength(2)
  const { code = '', item } = issues[0] ?? {}
  const counted = await here.storeferry(['issues', '--code', code, '--summary'])
  expect(counted).toMatch(new RegExp(`^(\\d+) issues\ncode: \\1 ${code}\n`))
  expect(await here.storeferry(['issues', '--item', item?.sourceId ?? '', '--code', code])).toContain(code)
  expect(await here.storeferry(['issues', '--text', 'no such brand'])).toBe('No issues match.\n')
  expect(await here.storeferry(['issues', '--since', '2099-01-01T00:00:00Z', '--summary'])).toBe('No issues match.\n')
  expect(await here.storeferry(['issues', '--limit', '1'])).toMatch(/\nThere are more than 1; see --limit, /)
  expect(JSON.parse(await here.storeferry(['issues', '--limit', '1', '--json']))).toHaveLength(1)
})

test('differences of a comparison are narrowed, counted, exported, accepted and reopened', async () => {
  const { requestId } = here.verification
  const ofTheCopy = await here.storeferry(['differences', here.migration.requestId])
  expect(ofTheCopy).toMatch(/^Nothing was compared, because this migration is no comparison; /)
  const shown = await here.storeferry(['differences', requestId, '--kind', 'missing'])
  expect(shown).toMatch(/^missing \(open\): brands \d+ -> - ".*" \[\S+\]$/m)
  expect(shown).toMatch(/^In all: 2 missing\.$/m)
  const found: Difference[] = JSON.parse(await here.storeferry(['differences', requestId, '--json']))
  expect(found.map(({ kind }) => kind)).toEqual(['missing', 'missing'])
  const csv = await here.storeferry(['differences', requestId, '--csv', '--living', 'without'])
  expect(csv.split('\r\n').filter((line) => line.includes('"missing"'))).toHaveLength(2)
  expect(await here.storeferry(['differences', requestId, '--summary'])).toMatch(/^brands +missing +2 +0 +0 +0 +0$/m)
  const accept = ['dismiss', requestId, found[0]?.id ?? '', '--differences']
  expect(await here.storeferry(accept)).toBe('1 difference dismissed.\n')
  expect(await here.storeferry(['reopen', ...accept.slice(1)])).toBe('1 difference reopened.\n')
  expect(await here.storeferry(['reopen', requestId, '--code', 'unexpected'])).toBe('0 issues reopened.\n')
  expect(await here.storeferry(accept)).toBe('1 difference dismissed.\n')
  expect(await here.storeferry(['watch', requestId], { code: 4 })).toMatch(
    /^1 difference is open\. See: storeferry differences /m,
  )
  expect(await here.storeferry(['dismiss', requestId, '--differences', '--kind', 'missing'])).toContain('1 difference ')
  await here.storeferry(['watch', requestId])
})

test('status and list show what a person asks first, within the width of the terminal', async () => {
  const { requestId } = here.migration
  const [source, destination] = ['source', 'destination'].map((side) => here.world.address(side).hash)
  const shown = await here.storeferry(['status', requestId], { columns: 80 })
  expect(shown).toMatch(
    new RegExp(`^Tuesday: full of .* \\(${source}\\) to .* \\(${destination}\\), strategy skip$`, 'm'),
  )
  expect(shown).toMatch(/^2 failures are open\. See: storeferry issues /m)
  expect(shown).toMatch(/^Possible now: resume, cancel, heal\.$/m)
  const { migration, request } = JSON.parse(await here.storeferry(['status', requestId, '--json']))
  expect(migration).toMatchObject({ requestId, status: 'partial_completed' })
  expect(request).toMatchObject({ label: 'Tuesday' })
  const filters = ['--store', source ?? '', '--status', 'partial_completed', '--mode', 'full']
  const list = await here.storeferry(['list', ...filters], { columns: 80 })
  expect(list).toMatch(new RegExp(`^${requestId} .* partial_completed +2\\b`, 'm'))
  expect(Math.max(...list.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
  expect(await here.storeferry(['list', ...filters])).toMatch(new RegExp(`${source} +${destination} +Tuesday$`, 'm'))
  const page = JSON.parse(await here.storeferry(['list', '--text', 'Tuesday', '--limit', '1', '--json']))
  expect(page.items).toHaveLength(1)
  expect(await here.storeferry(['list', '--text', 'Wednesday', '--sort', 'failures'])).toBe('No migrations match.\n')
})

test('a timeline is no wider than the terminal, however long the names of its phases are', async () => {
  const long = ['migrate', ...here.pair, '--entities', 'channel-currencies', '--dry-run']
  const id = (await here.storeferry(long)).trim()
  await here.storeferry(['watch', id])
  const shown = await here.storeferry(['timeline', id], { columns: 60 })
  expect(shown).toMatch(/ phase finished +channe/)
  expect(Math.max(...shown.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60)
})

test('the status of a migration whose turn has not come says what it waits for, and what is before it', async () => {
  const own = await aSignedInWorld(['brands'])
  onTestFinished(() => own.stop())
  const { world } = own
  await world.fault('destination', { kind: 'hold_after_applying', method: 'POST', path: 'brands', times: 1 })
  const start = async () => (await own.storeferry(['migrate', ...own.pair, '--entities', 'brands'])).trim()
  await start()
  await until('the copy is held', async () => (await world.faults('destination')).some(({ hits }) => hits > 0))
  const [second, third] = [await start(), await start()]
  const isForecast = async (id: string) =>
    !(await own.storeferry(['status', id])).includes('its forecast is being made')
  await until('both have a forecast', async () => (await isForecast(second)) && (await isForecast(third)))
  expect(await own.storeferry(['status', second])).toMatch(
    /^It waits for its turn: another migration uses its destination\.$/m,
  )
  expect(await own.storeferry(['status', third])).toMatch(
    /^It waits for its turn: another migration uses its destination\. 1 migration of your organisation was requested before it\.$/m,
  )
  await world.release('destination')
  await own.storeferry(['watch', third])
  expect(await own.storeferry(['status', third])).not.toContain('its turn')
})

test('a migration is renamed, and its name is removed by an empty one', async () => {
  const { requestId } = here.verification
  const rename = (label: string, ...options: string[]) => here.storeferry(['rename', requestId, label, ...options])
  expect(await rename('After Tuesday')).toBe(`Migration ${requestId} is now called After Tuesday.\n`)
  expect(await here.storeferry(['status', requestId])).toMatch(/^After Tuesday: verify of /)
  expect(JSON.parse(await rename('', '--json'))).toEqual({ requestId, label: null })
  expect(await here.storeferry(['status', requestId])).toMatch(/^verify of /)
  expect(await rename('')).toBe(`Migration ${requestId} no longer has a label.\n`)
  expect(await here.refused(['rename', requestId])).toMatch(/missing required argument 'label'.*rename --help/)
})

test('list takes several statuses with commas or repeated, and keeps its order from page to page', async () => {
  const both = [here.migration, here.verification]
  const createdBefore = new Date(Date.parse(here.verification.timestamps.created) + 1).toISOString()
  const idsOf = async (...args: string[]) => {
    const command = ['list', '--created-before', createdBefore, ...args, '--json']
    const { items, nextCursor } = JSON.parse(await here.storeferry(command))
    return { ids: items.map(({ requestId }: MigrationDetail) => requestId), nextCursor }
  }
  const statuses = both.map(({ status }) => status)
  const expected = both.map(({ requestId }) => requestId).sort()
  const all = await idsOf('--status', ['cancelled', ...statuses].join(','))
  expect(all.ids.sort()).toEqual(expected)
  expect(await idsOf('--status', 'paused', '--status', 'queued,cancelled')).toEqual({ ids: [], nextCursor: null })
  expect((await idsOf(...statuses.flatMap((status) => ['--status', status]))).ids.sort()).toEqual(expected)
  const page = ['--sort', 'duration', '--limit', '1']
  const first = await idsOf(...page)
  const second = await idsOf(...page, '--cursor', first.nextCursor)
  expect([...first.ids, ...second.ids].sort()).toEqual(expected)
  expect(await here.refused(['list', '--created-before', createdBefore, '--cursor', first.nextCursor])).toMatch(
    /cursor/,
  )
  expect(await here.refused(['list', '--status', 'paused,done'])).toMatch(/Allowed choices are queued, in_progress/)
  expect(await here.refused(['list', '--sort', 'age'])).toMatch(
    /Allowed choices are created, updated, duration, failures\./,
  )
})

test('stores are counted side by side, a migration is forecast, and what would stop it is named, without starting any', async () => {
  const [source = '', destination = ''] = ['source', 'destination'].map((side) => here.world.address(side).hash)
  const before = await here.storeferry(['list', '--json'])
  expect(await here.storeferry(['counts', source, destination, '--entities', 'brands'])).toMatch(/^brands +4 +\d$/m)
  const scope = [...here.pair, '--entities', 'brands']
  const forecast = await here.storeferry(['forecast', ...scope])
  expect(forecast).toMatch(/^brands +4 +\w+$/m)
  expect(forecast).toMatch(/^About .*; a small migration, with \d+ MiB of memory\.$/m)
  expect(await here.storeferry(['preflight', ...scope])).toMatch(/^Nothing stops the migration\.$/m)
  expect(await here.storeferry(['list', '--json'])).toBe(before)
})

test('the keys of entities, the ids of items, and the outcome of one item are looked up', async () => {
  const [source = '', destination = ''] = ['source', 'destination'].map((side) => here.world.address(side).hash)
  expect(await here.storeferry(['entities'])).toMatch(/^brands +Brands +yes +yes +always/m)
  expect(await here.storeferry(['entities', 'products'])).toMatch(/^product-images /m)
  expect(await here.storeferry(['entities', '--scopes'])).toMatch(/store_v2_products/)
  expect(await here.refused(['entities', 'brandz'])).toContain('"storeferry entities" lists them')
  const { items } = JSON.parse(await here.storeferry(['items', source, 'brands', '--json']))
  expect(await here.storeferry(['items', source, 'brands', '--text', items[0].name])).toContain(items[0].id)
  const pairs = await here.storeferry(['export', here.migration.requestId, 'mappings'])
  const isCopied = ({ id }: { id: string }) => new RegExp(`"${id}","\\d+","created"`).test(pairs)
  const [copied, missing] = [items.find(isCopied), items.find((item: { id: string }) => !isCopied(item))]
  const compare = (id: string) => ['compare', 'brands', id, '--source', source, '--destination', destination]
  expect(await here.storeferry(compare(copied.id))).toMatch(/: the copy is equal \(\d+ at the destination\)\.$/m)
  expect(await here.storeferry(compare(missing.id), { code: 4 })).toMatch(/: it was not copied\.$/m)
  const history = await here.storeferry(['history', 'brands', '--source-id', copied.id])
  expect(history).toMatch(new RegExp(`^${source} ${copied.id} -> ${destination} \\d+, created `, 'm'))
  expect(await here.storeferry(['timeline', here.migration.requestId])).toMatch(/ created /)
})

test('a list is exported into a new file, and never over one that exists', async () => {
  const { requestId } = here.migration
  const output = join(here.environment.HOME ?? '', 'pairs.csv')
  const command = ['export', requestId, 'mappings', '--component', 'brands', '--output', output]
  expect(await here.storeferry(command)).toBe(`mappings of migration ${requestId} are in ${output}.\n`)
  expect((await readFile(output, 'utf8')).split('\r\n')).toHaveLength(1 + 2 + 1)
  expect(await here.refused(command)).toBe(
    `storeferry: ${output} exists already; name another file or remove it first.\n`,
  )
  expect((await readFile(output, 'utf8')).split('\r\n')).toHaveLength(1 + 2 + 1)
})

test('an export that is refused leaves no file in the way of the next try', async () => {
  const output = join(here.environment.HOME ?? '', 'of-the-right-id.csv')
  expect(await here.refused(['export', 'no-such-id', 'mappings', '--output', output])).toMatch(
    /no migration no-such-id/,
  )
  const { requestId } = here.migration
  expect(await here.storeferry(['export', requestId, 'mappings', '--output', output])).toContain(output)
})

test('an export that a lost connection cuts off ends with 1, says that it is incomplete, and leaves no file', async () => {
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/csv' })
    response.write('"component"\r\n"brands"\r\n', () => request.socket.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const siteUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const signedIn = { siteUrl, bearerToken: 'any', expiresIso: '2099-01-01T00:00:00.000Z' }
  await keepToken(here.environment, { siteUrl, profile: 'cut-off' }, signedIn)
  const command = ['export', here.migration.requestId, 'mappings', '--profile', 'cut-off']
  const incomplete =
    /^storeferry: The answer of .* broke off \(.+\), so the list is not complete; run the command again\.\n$/
  const output = join(here.environment.HOME ?? '', 'cut-off.csv')
  expect(await here.refused([...command, '--output', output])).toMatch(incomplete)
  await expect(readFile(output)).rejects.toThrow('ENOENT')
  const printed = await runCommandHere(command, { environment: here.environment })
  expect(printed).toEqual({
    code: 1,
    output: '"component"\r\n"brands"\r\n',
    errors: expect.stringMatching(incomplete),
  })
})

test.each(['phase', 'component'])('a misspelled --%s is not answered as if all were well', async (name) => {
  const [issues, differences] = [here.migration.requestId, here.verification.requestId]
  for (const command of [
    ['issues', issues],
    ['issues', issues, '--summary'],
    ['issues', issues, '--json'],
    ['differences', differences],
    ['differences', differences, '--csv'],
  ])
    expect(await here.refused([...command, `--${name}`, 'brand'])).toMatch(
      new RegExp(`^storeferry: ${name}: No such ${name}; this migration has .*brands.* \\(validation_failed\\)\n$`),
    )
})

test('what is named wrongly is refused in one line with the remedy', async () => {
  const { requestId } = here.migration
  expect(await here.refused(['status', 'no-such-id'])).toBe(
    'storeferry: Your organisation has no migration no-such-id; "storeferry list" lists its migrations. (not_found)\n',
  )
  expect(await here.refused(['forecast', '--source', 'nowhere', '--destination', 'elsewhere'])).toContain(
    'use a hash from "storeferry stores"',
  )
  expect(await here.refused(['plan', requestId])).toMatch(/^storeferry: Migration .* is no dry run .*\n$/)
  expect(await here.refused(['confirm', requestId])).toMatch(/does not wait to delete anything; see "storeferry status/)
  for (const command of ['dismiss', 'reopen', 'retry'])
    expect(await here.refused([command, requestId, 'abc'])).toBe(
      'storeferry: ids: This migration has no issue abc. (validation_failed)\n',
    )
  const ofComparison = ['dismiss', here.verification.requestId, 'abc', '--differences']
  expect(await here.refused(ofComparison)).toContain('This migration has no difference abc.')
  expect(await here.refused(['list', '--status', 'done'])).toMatch(/Allowed choices are queued, in_progress/)
  for (const time of ['2026-03-01', 'yesterday', '2026-03-01T09:30:00'])
    expect(await here.refused(['list', '--created-from', time])).toBe(
      'storeferry: createdFrom: Must be a time with its offset from UTC, such as 2026-03-01T00:00:00Z or 2026-03-01T09:30:00+01:00. (validation_failed)\n',
    )
  expect(await here.refused(['list', '--created-from', '0000-01-01T00:00:00Z'])).toContain(
    'between the years 1 and 9999.',
  )
  expect(await here.refused(['stauts'])).toMatch(/Did you mean status\?/)
  expect(await here.refused(['migrate', ...here.pair, '--globals'])).toMatch(
    /^storeferry: --globals .* --page-template/,
  )
  const notOurs = { environment: { STOREFERRY_URL: here.world.sandboxUrl } }
  expect(await here.refused(['login', ...loginOf(here.world).slice(1)], { ...notOurs, input: 'x' })).toMatch(
    /^storeferry: The answer is not from Storeferry; check STOREFERRY_URL\..*\n$/,
  )
})

test('a command whose output nothing reads any more ends with 141 and without a word', async () => {
  const run = startProgram(['issues', here.migration.requestId], { environment: here.environment })
  run.child.stdout?.destroy()
  expect(await run.ended).toBe(141)
  expect(run.errors()).toBe('')
})

test('what failed is retried by filter, and a comparison afterwards ends with 0', async () => {
  const own = await aFailedCopy()
  onTestFinished(() => own.stop())
  const { requestId } = own.migration
  expect(await own.refused(['retry', requestId])).toMatch(/Name issues by id, or give at least one filter/)
  expect(await own.storeferry(['retry', requestId, '--component', 'brands'])).toMatch(/^retry accepted; migration /)
  await own.storeferry(['watch', requestId])
  const printed = await own.storeferry(['verify', requestId], { columns: 80 })
  expect(printed).toMatch(/^Verify /m)
  expect(printed).toMatch(/100%/)
})

test('S20: sign-ins of several organisations are kept beside each other, and the next login needs only the secret', async () => {
  const secret = { input: here.world.identity.client_secret }
  expect(await here.refused(['stores', '--profile', 'lamps'])).toBe(
    'storeferry: Not signed in at profile lamps; run "storeferry login --profile lamps" first.\n',
  )
  await here.storeferry([...loginOf(here.world), '--profile', 'lamps'], secret)
  // Without the address of the service: the profile knows it.
  const elsewhere = { STOREFERRY_URL: '', STOREFERRY_PROFILE: 'lamps' }
  const label = here.world.address('source').hash
  expect(await here.storeferry(['stores'], { environment: elsewhere })).toContain(label)
  await here.storeferry(['login', '--secret-stdin'], { ...secret, environment: elsewhere })
  expect(await here.storeferry(['profiles'])).toMatch(/^lamps +http:\/\/127\.0\.0\.1:\d+ .* \d{4}-\d\d-\d\d$/m)
  const folder = join(here.environment.HOME ?? '', '.config', 'storeferry', 'tokens')
  for (const name of await readdir(folder))
    expect(await readFile(join(folder, name), 'utf8')).not.toContain(here.world.identity.client_secret)
  expect(await here.storeferry(['logout', '--profile', 'lamps'])).toBe('The sign-in at profile lamps is forgotten.\n')
  expect(await here.refused(['stores'], { environment: elsewhere })).toMatch(/^storeferry: Not signed in at profile/)
  expect(await here.refused(['stores'], { environment: { STOREFERRY_PROFILE: '../x' } })).toMatch(
    /^storeferry: STOREFERRY_PROFILE is no name of a profile/,
  )
})
