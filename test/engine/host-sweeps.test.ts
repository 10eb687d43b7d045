import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { until } from '../harness/until.ts'
import { aWorld } from '../harness/world.ts'
import { aTalkativeShop, mailSettings, mutedSettings, statuses } from './mail-story.ts'
import { runThatLeavesItDisabled, theOnlyPromotion } from './promotion-story.ts'
import { pass } from './side-effect-story.ts'
import { cancelledRun, openWatches, stockedCatalogue, stockOf } from './stock-story.ts'

test('D5: hosts finish what ended runs left undone: they enable promotions, restore mails and give stock back', async () => {
  const world = await aTalkativeShop({
    processes: true,
    entities: [...stockedCatalogue, 'promotions'],
    switches: { destination: { order_stock: 'cut' } },
  })
  await theOnlyPromotion(world)
  const settings = await mailSettings(world)
  await runThatLeavesItDisabled(world)
  // Restoring the settings, not switching them off.
  const restoring = { method: 'PUT', path: `^${statuses}$`, body: '"combined_order_status_email":true' }
  await world.fault('destination', { kind: 'error_before_applying', ...restoring, status: 422, times: null })
  const { before } = await cancelledRun(world, { entities: ['currencies', 'orders'] })
  await world.clearFaults('destination')
  expect(await mutedSettings(world)).not.toEqual([])
  const enabled = async () => (await world.state('destination')).promotions?.[0]?.status === 'ENABLED'
  expect(await enabled()).toBe(false)

  await pass(world, 2)
  await until('a host has enabled the promotion', enabled)
  await until('a host has restored the mails', async () => (await mutedSettings(world)).length === 0)
  await until('a host has given the stock back', async () => (await openWatches(world)) === 0)
  expect(await mailSettings(world)).toEqual(settings)
  expect(await stockOf(world)).toEqual(before)
})

test('S16: hosts delete codes, tokens and interactions that have expired, clients that nobody has used for a day, and old registrations', async () => {
  const { database } = await aWorld({ processes: true, entities: ['brands'] })
  const record = (model: string, name: string, age: string, lasts: string | null) =>
    sql`
    insert into oauth_records (model, id_hash, payload, created_at, expires_at)
    values (${model}, sha256(${name}::bytea), jsonb_build_object('client_id', ${name}::text), now() - ${age}::interval,
      now() - ${age}::interval + ${lasts}::interval)`.execute(database)
  for (const model of ['AuthorizationCode', 'AccessToken', 'RefreshToken', 'Interaction']) {
    await record(model, `${model} of yesterday`, '1 day', '1 hour')
    await record(model, `${model} of today`, '1 minute', '1 hour')
  }
  await record('Client', 'unused', '25 hours', null)
  await record('Client', 'new', '23 hours', null)
  await sql`
    insert into oauth_registrations (address, at)
    values ('192.0.2.1', now() - interval '2 hours'), ('192.0.2.2', now())`.execute(database)
  const left = async () => {
    const records = await sql<{ name: string }>`
      select payload ->> 'client_id' as name from oauth_records order by 1`.execute(database)
    const addresses = await sql<{ address: string }>`select address from oauth_registrations`.execute(database)
    return [...records.rows.map(({ name }) => name), ...addresses.rows.map(({ address }) => address)]
  }
  const kept = ['AccessToken', 'AuthorizationCode', 'Interaction', 'RefreshToken'].map((model) => `${model} of today`)
  await until('a host has cleaned up', async () => (await left()).length <= kept.length + 2)
  expect(await left()).toEqual([...kept, 'new', '192.0.2.2'])
})
