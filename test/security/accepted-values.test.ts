import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  aBrowser,
  anOrganisation,
  aPerson,
  aService,
  aSession,
  type Browser,
  type Organisation,
  type Service,
} from '../api/a-service.ts'

let service: Service
let organisation: Organisation
let administrator: Browser
let owner: Browser
beforeAll(async () => {
  service = await aService()
  organisation = await anOrganisation(service)
  owner = aBrowser(service, await organisation.cookie())
  const { userId } = await aPerson(service, { administrator: true })
  administrator = aBrowser(service, await aSession(service, userId))
})
afterAll(() => service.close())

test.each([
  ['2026-01-01T00:00:00+15:59', 200],
  ['2026-01-01T00:00:00+16:00', 200],
  ['2026-01-01T00:00:00-23:59', 200],
  ['2026-01-01T00:00:00.123456789123456789Z', 200],
  ['0001-01-01T00:00:00Z', 200],
  ['0001-01-01T00:00:00+00:01', 422],
  ['0000-06-01T00:00:00Z', 422],
  ['9999-12-31T23:59:59Z', 200],
  ['9999-12-31T23:59:59-00:01', 422],
  ['2026-01-01T00:00:00+24:00', 422],
  ['2026-02-30T00:00:00Z', 422],
])('S36: %s as the beginning of a list is a %i', async (createdFrom, httpStatus) => {
  const answer = await owner.get(`/v2/migrations?createdFrom=${encodeURIComponent(createdFrom)}`)
  expect(answer.statusCode).toBe(httpStatus)
})

let created = 0
async function create(name: string, firstName = 'Ada') {
  created += 1
  const person = { firstName, lastName: 'Lovelace', email: `owner${created}@accepted.example` }
  return administrator.send('POST', '/admin/api/organisations', { name, owner: person })
}

test('S36: a name may have 255 characters in the form that is compared, whatever it has before', async () => {
  // One character that is 18 when it is written out; 15 of them do not fit.
  const ligature = '\ufdfa'
  const differing = (length: number) =>
    Array.from({ length }, (_, at) => String.fromCodePoint(0x4e00 + 7 * at)).join('')
  expect((await create(differing(255))).statusCode).toBe(201)
  expect((await create(differing(256))).statusCode).toBe(422)
  expect((await create(`${ligature.repeat(14)}abc`)).statusCode).toBe(201)
  expect((await create(`${ligature.repeat(14)}abcd`)).statusCode).toBe(422)
  expect((await create(ligature.repeat(255))).statusCode).toBe(422)
})

test.each([
  ['a zero-width space', 'Ac\u200bme'],
  ['a soft hyphen', 'Ac\u00adme'],
  ['a change of direction', 'Acme\u202e'],
  ['a variation selector', 'Acme\ufe0f'],
  ['a filler that shows nothing', 'Acme\u3164'],
  ['a line break', 'Acme\nInc'],
  ['a character for private use', 'Acme\ue000'],
  ['a Cyrillic letter in a Latin word', '\u0410cme'],
  ['a Greek letter in a Latin word', 'Acm\u03bf'],
  ['nothing but blanks', '   '],
])('S36: a name with %s is refused', async (_, name) => {
  const ofOrganisation = await create(name)
  expect(ofOrganisation.statusCode).toBe(422)
  expect(Object.keys(ofOrganisation.json().errors)).toEqual(['name'])
  const ofPerson = await create(`Org ${created}`, name)
  expect(Object.keys(ofPerson.json().errors)).toEqual(['owner.firstName'])
  const member = { firstName: 'Ada', lastName: name, email: 'member@accepted.example', role: 'viewer' }
  expect((await owner.send('POST', '/v2/members', member)).statusCode).toBe(422)
})

test.each([
  ['blanks', '   '],
  ['a zero-width space', '\u200b'],
  ['fillers', '\u3164\u2800'],
])('a label of nothing but %s, which nobody could see or click, is refused', async (_, label) => {
  const pair = { source: 'store1', destination: 'store2' }
  const migration = await owner.send('POST', '/v2/migrations', { ...pair, label })
  expect(migration.json().errors).toEqual({ label: ['Must not be blank.'] })
  const { requestId } = (await owner.send('POST', '/v2/migrations', { ...pair, label: `${label}1 ` })).json()
  for (const path of [`/v2/migrations/${requestId}`, '/v2/stores/store1'])
    expect((await owner.send('PATCH', path, { label })).json().errors).toEqual({ label: ['Must not be blank.'] })
})

test.each([
  'Яндекс Market',
  'Ελλάδα Foods',
  '東京ラーメン Shop',
  'O’Brien & Söhne',
  'محمد علي',
  'Müller–Lüdenscheidt №1',
  'نور 2000',
])('S36: the name %s is accepted', async (name) => {
  const answer = await create(name)
  expect(answer.statusCode).toBe(201)
})
