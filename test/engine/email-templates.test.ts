import { expect, test } from 'vitest'
import { aWorld, type World } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'
import { counted } from './counted.ts'

const path = '/v3/marketing/email-templates'
const entities = ['email-templates']

type Template = { type_id: string; body: string; subject: string }

const templates = (world: World, side: Side) => callStore<Template[]>(world, side, 'GET', path)
const write = (world: World, side: Side, type: string, body: string) =>
  callStore(world, side, 'PUT', `${path}/${type}`, { body, subject: 'Changed', translations: [] })

test('skip leaves the templates of a store alone, and update writes those that differ, with links to the destination’s shop', async () => {
  const world = await aWorld({ entities })
  const shopOf = async (side: Side) => String((await world.state(side)).sites?.[0]?.url)
  await write(world, 'source', 'invoice_email', `<a href="${await shopOf('source')}/sale/">sale</a>`)
  const before = await templates(world, 'destination')
  await world.complete()
  expect(await templates(world, 'destination')).toEqual(before)
  const run = await world.complete({ conflictStrategy: 'update' })
  expect((await counted(world, run.requestId))['email-templates']).toMatchObject({ updated: 1 })
  const copy = (await templates(world, 'destination')).find(({ type_id }) => type_id === 'invoice_email')
  expect(copy).toMatchObject({ subject: 'Changed', body: `<a href="${await shopOf('destination')}/sale/">sale</a>` })
  await world.resetRequests('destination')
  await world.complete({ conflictStrategy: 'update' })
  expect((await world.requests('destination')).filter(({ method }) => method !== 'GET')).toEqual([])
})

test('F1: verify reports an edited template, and replace corrects it and deletes nothing', async () => {
  const world = await aWorld({ entities })
  await write(world, 'destination', 'createaccount_email', '<p>Edited</p>')
  const verified = await world.complete({ mode: 'verify' })
  expect(verified.counters).toMatchObject({ skipped: 1 })
  await world.complete({ conflictStrategy: 'replace' })
  expect(await templates(world, 'destination')).toEqual(await templates(world, 'source'))
})

test('links in the translations of a template lead to the destination’s shop', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities })
  const shopOf = async (side: Side) => String((await world.state(side)).sites?.[0]?.url)
  const translationsOf = (shop: string) => [
    { locale: 'en', keys: { footer: `<a href="${shop}/returns/">Returns</a>` } },
  ]
  const texts = { body: '<p>{{lang "footer"}}</p>', subject: 'Changed' }
  const translations = translationsOf(await shopOf('source'))
  await callStore(world, 'source', 'PUT', `${path}/invoice_email`, { ...texts, translations })
  await world.complete({ conflictStrategy: 'update' })
  const copy = (await templates(world, 'destination')).find(({ type_id }) => type_id === 'invoice_email')
  expect(copy).toMatchObject({ ...texts, translations: translationsOf(await shopOf('destination')) })
})
