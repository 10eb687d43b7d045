import { once } from 'node:events'
import { connect } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rotateCredential } from '../../src/accounts/api-credentials.ts'
import { limits } from '../../src/contract/primitives/limits.ts'
import { saveDeletions } from '../../src/db/ledger/deletions.ts'
import { anOrganisation, aService, type Organisation, type Service, siteUrl } from './a-service.ts'
import { askSocket } from './ask-socket.ts'
import { addDifference, addIssue } from './migration-rows.ts'

let service: Service
let address: string
let organisation: Organisation
let token: string
beforeAll(async () => {
  service = await aService()
  address = await service.app.listen({ host: '127.0.0.1', port: 0 })
  organisation = await anOrganisation(service)
  token = await organisation.token()
})
afterAll(() => service.close())

async function aRun(of = organisation): Promise<{ organisationId: string; id: string }> {
  const headers = { authorization: `Bearer ${await of.token()}` }
  const payload = { source: 'store1', destination: 'store2', mode: 'counts' }
  const made = await service.inject({ method: 'POST', url: '/v2/migrations', headers, payload })
  return { organisationId: of.id, id: made.json().requestId }
}

async function manyIssues(run: { organisationId: string; id: string }, count: number): Promise<void> {
  await sql`
    insert into issues (organisation_id, run_id, phase, component, severity, code, message, remedy, source_id, item)
    select ${run.organisationId}, ${run.id}, 'brands', 'brands', 'failure', 'platform_refused', 'Refused.', 'Correct it.',
      n::text, '{"name": "Acme", "sku": null, "path": null}' from generate_series(1, ${count}::int) n`.execute(
    service.deps.database,
  )
}

test('S28: issues can be downloaded as a quoted CSV file without formulas', async () => {
  const run = await aRun()
  const name = '=HYPERLINK("https://elsewhere.example"), "Acme"'
  await addIssue(service.deps.database, run, { sourceId: '7', name, platform: refusal })
  const answer = await service.get(`/v2/migrations/${run.id}/issues.csv`, token)
  expect(answer.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="issues.csv"',
  })
  const [head, line] = answer.body.split('\r\n')
  expect(head).toMatch(/^"id","phase","component","severity","code",/)
  expect(line).toContain(`"'=HYPERLINK(""https://elsewhere.example""), ""Acme"""`)
  expect(line).toContain('422,"Not so."')
})

const refusal = { method: 'POST', path: '/v3/catalog/brands', status: 422, title: 'Not so.', errors: {} }

test('the file has all pages once, and respects filters', async () => {
  const run = await aRun()
  const count = limits.maximumPageSize * 2 + 1
  await manyIssues(run, count)
  const lines = (await service.get(`/v2/migrations/${run.id}/issues.csv`, token)).body.trimEnd().split('\r\n')
  expect(lines).toHaveLength(count + 1)
  expect(new Set(lines).size).toBe(count + 1)
  const none = (await service.get(`/v2/migrations/${run.id}/issues.csv?severity=warning`, token)).body
  expect(none.trimEnd().split('\r\n')).toHaveLength(1)
})

test('differences and mappings can be downloaded too', async () => {
  const run = await aRun()
  await addDifference(service.deps.database, run, { kind: 'different', sourceId: '1', destinationId: '2' })
  const differences = (await service.get(`/v2/migrations/${run.id}/differences.csv`, token)).body.split('\r\n')
  expect(differences[1]).toContain('"brands","different","1","Acme"')
  expect(differences[1]).toContain('""path"":""name""')
  const mappings = await service.get(`/v2/migrations/${run.id}/mappings.csv`, token)
  expect(mappings.body).toBe(
    '"component","storefronts","item.name","item.sku","sourceId","destinationId","origin","owed"\r\n',
  )
})

test('G4: deletions can be downloaded, with what they are about and why', async () => {
  const run = await aRun()
  const planned = {
    phase: 'brands',
    component: 'brands',
    destinationId: '9',
    parentId: '',
    parentName: null,
    sourceId: '4',
    above: null,
    item: { name: 'Acme', sku: null, path: '/acme/' },
    reason: 'source_deleted' as const,
  }
  await service.deps.database.transaction().execute((tx) => saveDeletions(tx, run, 'brands', [planned], 'planned'))
  const [head, line] = (await service.get(`/v2/migrations/${run.id}/deletions.csv`, token)).body.split('\r\n')
  expect(head).toBe(
    '"id","phase","component","label","item.name","item.sku","item.path","destinationId","parentId","parentName","reason","state","at"',
  )
  expect(line).toContain('"brands","brands","Brands","Acme",,"/acme/","9",,,"source_deleted","planned"')
})

test('a file takes no paging parameters, and a refusal is JSON', async () => {
  const run = await aRun()
  for (const query of ['limit=1', 'cursor=x', 'severity=grave']) {
    const refused = await service.get(`/v2/migrations/${run.id}/issues.csv?${query}`, token)
    expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, [query.split('=')[0]]])
  }
  const stranger = await (await anOrganisation(service)).token()
  expect((await service.get(`/v2/migrations/${run.id}/issues.csv`, stranger)).json().error).toBe('not_found')
})

test('S6: a download is cut off when the caller loses access', async () => {
  const other = await anOrganisation(service)
  const run = await aRun(other)
  await manyIssues(run, limits.maximumPageSize * 100)
  const response = await askSocket(address, `/v2/migrations/${run.id}/issues.csv`, {
    authorization: `Bearer ${await other.token()}`,
  })
  let text = ''
  response.on('data', (chunk) => (text += chunk))
  const ended = once(response, 'end').then(
    () => 'whole',
    () => 'cut off',
  )
  await once(response, 'data')
  await rotateCredential(other.id, { userId: null }, service.deps)
  expect(await ended).toBe('cut off')
  expect(text.split('\r\n').length).toBeLessThan(limits.maximumPageSize * 100)
})

test('a download that is cut off does not look whole to a proxy that speaks HTTP/1.0', async () => {
  const other = await anOrganisation(service)
  const run = await aRun(other)
  await manyIssues(run, limits.maximumPageSize * 100)
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  const headers = [`Host: ${new URL(siteUrl).host}`, `Authorization: Bearer ${await other.token()}`]
  socket.write([`GET /v2/migrations/${run.id}/issues.csv HTTP/1.0`, ...headers, '', ''].join('\r\n'))
  const ended = once(socket, 'end').then(
    () => 'whole',
    ({ code }) => code,
  )
  await once(socket, 'data')
  await rotateCredential(other.id, { userId: null }, service.deps)
  socket.resume()
  expect(await ended).toBe('ECONNRESET')
})

test('before-images show overwritten and deleted items, except personal data', async () => {
  const run = await aRun()
  await sql`
    insert into before_images (organisation_id, run_id, component, destination_id, action, body, body_sealed) values
      (${run.organisationId}, ${run.id}, 'brands', '7', 'update', '{"name": "Acme"}', null),
      (${run.organisationId}, ${run.id}, 'brands', '8', 'delete', '{"name": "Old", "id": 8}', null),
      (${run.organisationId}, ${run.id}, 'customers', '9', 'update', null, ${Buffer.from('sealed')})`.execute(
    service.deps.database,
  )
  const path = `/v2/migrations/${run.id}/before-images`
  const first = (await service.get(`${path}?limit=2`, token)).json()
  const at = expect.any(String)
  const item = { name: null, sku: null, parentName: null }
  expect(first.items).toEqual([
    { component: 'brands', destinationId: '7', action: 'update', item, body: { name: 'Acme' }, isSealed: false, at },
    {
      component: 'brands',
      destinationId: '8',
      action: 'delete',
      item,
      body: { name: 'Old', id: 8 },
      isSealed: false,
      at,
    },
  ])
  const rest = (await service.get(`${path}?limit=2&cursor=${encodeURIComponent(first.nextCursor)}`, token)).json()
  expect(rest).toEqual({
    items: [{ component: 'customers', destinationId: '9', action: 'update', item, body: null, isSealed: true, at }],
    nextCursor: null,
  })
  expect((await service.get(`${path}?component=customers`, token)).json().items).toHaveLength(1)
  const stranger = await (await anOrganisation(service)).token()
  expect((await service.get(path, stranger)).json().error).toBe('not_found')
})

test('before-images can be downloaded as NDJSON, without personal data', async () => {
  const run = await aRun()
  const count = limits.maximumPageSize * 2 + 1
  await sql`
    insert into before_images (organisation_id, run_id, component, destination_id, action, body, body_sealed)
    select ${run.organisationId}, ${run.id}, 'brands', n::text, 'delete', jsonb_build_object('name', E'two\\nlines ' || n), null
    from generate_series(1, ${count}::int) n`.execute(service.deps.database)
  await sql`
    insert into before_images (organisation_id, run_id, component, destination_id, action, body, body_sealed) values
      (${run.organisationId}, ${run.id}, 'customers', '9', 'update', null, ${Buffer.from('planted')})`.execute(
    service.deps.database,
  )
  const path = `/v2/migrations/${run.id}/before-images.ndjson`
  const file = await service.get(path, token)
  expect(file.headers).toMatchObject({
    'content-type': 'application/x-ndjson; charset=utf-8',
    'content-disposition': 'attachment; filename="before-images.ndjson"',
  })
  expect(file.body.endsWith('\n')).toBe(true)
  expect(file.body).not.toContain('planted')
  const items = file.body
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(new Set(items.map(({ component, destinationId }) => `${component} ${destinationId}`)).size).toBe(count + 1)
  expect(items).toHaveLength(count + 1)
  expect(items.at(0)).toMatchObject({ component: 'brands', destinationId: '1', body: { name: 'two\nlines 1' } })
  expect(items.at(-1)).toMatchObject({ component: 'customers', destinationId: '9', body: null, isSealed: true })

  const none = await service.get(`${path}?component=pages`, token)
  expect([none.statusCode, none.body]).toEqual([200, ''])
  const refused = await service.get(`${path}?limit=1`, token)
  expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, ['limit']])
  const stranger = await (await anOrganisation(service)).token()
  expect((await service.get(path, stranger)).json().error).toBe('not_found')
})
