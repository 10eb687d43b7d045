import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'
import { counted } from './counted.ts'

const path = '/v3/marketing/email-templates'
const entities = ['email-templates']
let world: World

beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

type Template = { type_id: string; body: string; subject: string }

const templates = (side: Side) => callStore<Template[]>(world, side, 'GET', path)
const write = (side: Side, type: string, body: string) =>
  callStore(world, side, 'PUT', `${path}/${type}`, { body, subject: 'Changed', translations: [] })
const shopOf = async (side: Side) => String((await world.state(side)).sites?.[0]?.url)
const writes = async () => (await world.requests('destination')).filter(({ method }) => method !== 'GET')

test('templates of every store stay under skip, and update writes what differs, with links to the own shop', async () => {
  await write('source', 'invoice_email', `<a href="${await shopOf('source')}/sale/">sale</a>`)
  const before = await templates('destination')
  await world.complete({ entities })
  expect(await templates('destination')).toEqual(before)
  const run = await world.complete({ entities, conflictStrategy: 'update' })
  expect((await counted(world, run.requestId))['email-templates']).toMatchObject({ updated: 1 })
  const copy = (await templates('destination')).find(({ type_id }) => type_id === 'invoice_email')
  expect(copy).toMatchObject({ subject: 'Changed', body: `<a href="${await shopOf('destination')}/sale/">sale</a>` })
  await world.resetRequests('destination')
  await world.complete({ entities, conflictStrategy: 'update' })
  expect(await writes()).toEqual([])
})

test('F1: verify tells of an edit, and replace puts it right and deletes nothing', async () => {
  await write('destination', 'createaccount_email', '<p>Edited</p>')
  const verified = await world.complete({ entities, mode: 'verify' })
  expect(verified.counters).toMatchObject({ skipped: 1 })
  await world.complete({ entities, conflictStrategy: 'replace' })
  const [source, destination] = [await templates('source'), await templates('destination')]
  const plain = (all: Template[]) => all.filter(({ type_id }) => type_id !== 'invoice_email')
  expect(plain(destination)).toEqual(plain(source))
})
