import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { isLong, longTest } from '../harness/long-form.ts'
import type { World } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import {
  aTalkativeShop,
  mailSettings,
  mutedSettings,
  notices,
  runHeldAtAnOrder,
  sentMails,
  statuses,
  stop,
} from './mail-story.ts'
import { pass } from './side-effect-story.ts'

/** A cancelled run whose destination refuses to switch its mails on again. */
async function runThatLeavesThemOff(world: World): Promise<string> {
  const id = await runHeldAtAnOrder(world)
  const refusing = { kind: 'error_before_applying', method: 'PUT', path: 'settings', status: 422, times: null } as const
  await world.fault('destination', refusing)
  await stop(world, id, 'cancel')
  expect(await mutedSettings(world)).not.toEqual([])
  return id
}

const mailIssues = async (world: World, id: string) =>
  (await world.issues(id)).filter(({ code }) => code === 'mails_muted')

const settingWrites = async (world: World) =>
  (await world.requests('destination', 'PUT')).filter(({ path }) => path.includes('settings'))

test.each([
  ['bare', false],
  ['inside `data`', true],
])('D5: no mail is sent while orders and shipments are copied, and the settings, which come %s, are restored afterwards', async (_, order_settings_in_data) => {
  const world = await aTalkativeShop({ switches: { destination: { order_settings_in_data } } })
  const before = await mailSettings(world)
  expect((await world.complete()).failuresOpen).toBe(0)
  expect((await world.state('destination')).order_shipments).not.toEqual([])
  expect(await sentMails(world)).toEqual([])
  expect(await mailSettings(world)).toEqual(before)
  expect(await mutedSettings(world)).toEqual([])
})

test('D5: a run that has no order to write leaves the settings alone', async () => {
  const world = await aTalkativeShop()
  await world.complete()
  expect(await settingWrites(world)).not.toEqual([])
  await world.resetRequests('destination')
  await world.complete()
  expect(await settingWrites(world)).toEqual([])
})

test('without mail muting, shoppers and staff get mails and the settings are left alone', async () => {
  const world = await aTalkativeShop()
  const before = await mailSettings(world)
  await world.complete({ muteMails: false })
  expect(new Set((await sentMails(world)).map((mail) => mail.for))).toEqual(new Set(['shopper', 'staff']))
  expect(await mailSettings(world)).toEqual(before)
})

longTest(
  'D5: a pause restores the settings, and a run resumed three days later sends no mail and restores them again',
  async () => {
    const world = await aTalkativeShop()
    const before = await mailSettings(world)
    const id = await runHeldAtAnOrder(world)
    expect(await mailSettings(world)).not.toEqual(before)
    await stop(world, id, 'pause')
    expect(await mailSettings(world)).toEqual(before)
    expect(await mutedSettings(world)).toEqual([])
    await sql`update runs set updated_at = updated_at - interval '3 days' where id = ${id}`.execute(world.database)
    await world.api('POST', `/v2/migrations/${id}/resume`)
    await world.finished(id)
    expect(await sentMails(world)).toEqual([])
    expect(await mailSettings(world)).toEqual(before)
  },
)

/** The default suite takes the last one. */
const lostAnswers = [
  'error_before_applying',
  'error_after_applying',
  'hold_after_applying',
  'reset_after_applying',
] as const

test.each(
  isLong ? lostAnswers : lostAnswers.slice(-1),
)('D5: a settings write that fails (%s) is repeated within the same attempt', async (kind) => {
  const world = await aTalkativeShop({ requestTimeoutSeconds: 1 })
  const before = await mailSettings(world)
  const id = await world.fault('destination', { kind, method: 'PUT', path: `^${statuses}$`, times: 2 })
  // A world without processes makes one attempt, and throws when that fails.
  expect(await world.complete()).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect((await world.faults('destination')).find((fault) => fault.id === id)?.hits).toBe(2)
  expect(await sentMails(world)).toEqual([])
  expect(await mailSettings(world)).toEqual(before)
  expect(await mutedSettings(world)).toEqual([])
})

test('D5: mails that are not about orders go on during a run, and a cancelled one restores the settings', async () => {
  const world = await aTalkativeShop()
  const before = await mailSettings(world)
  const id = await runHeldAtAnOrder(world)
  const aboutPeople = { account_details_changed_email: true, create_account_email: true, abandoned_cart_email: true }
  expect((await mailSettings(world))[0]).toMatchObject({ ...aboutPeople, invoice_email: false })
  await stop(world, id, 'cancel')
  expect(await mailSettings(world)).toEqual(before)
  expect(await sentMails(world)).toEqual([])
})

test('D5: mails that the merchant switches on or addresses during the run stay so, and all other settings are restored', async () => {
  const world = await aTalkativeShop()
  const [before] = await mailSettings(world)
  const id = await runHeldAtAnOrder(world)
  await callStore(world, 'destination', 'PUT', statuses, {
    return_confirmation_email: false,
    product_review_email: true,
  })
  await callStore(world, 'destination', 'PUT', notices, {
    notifications: { order_placed: { email_addresses: ['new@example.com'] } },
  })
  await world.release('destination')
  await world.finished(id)
  const [after, , noticesAfter] = await mailSettings(world)
  expect(after).toEqual({ ...before, product_review_email: true })
  expect(noticesAfter).toMatchObject({ notifications: { order_placed: { email_addresses: ['new@example.com'] } } })
})

longTest(
  'D5: a run that starts while settings are still off restores the settings from before the first run',
  async () => {
    const world = await aTalkativeShop()
    const before = await mailSettings(world)
    await runThatLeavesThemOff(world)
    await world.clearFaults('destination')
    await world.complete()
    expect(await mailSettings(world)).toEqual(before)
    expect(await mutedSettings(world)).toEqual([])
    expect(await sentMails(world)).toEqual([])
  },
)

longTest(
  'D5: mails that a store refuses to switch on become one issue after 15 minutes, which is healed once the store accepts',
  async () => {
    const world = await aTalkativeShop()
    const before = await mailSettings(world)
    const id = await runThatLeavesThemOff(world)
    const triesOf = async () => {
      await world.resetRequests('destination')
      const errors = await world.sweep()
      return { tries: (await settingWrites(world)).length, errors }
    }
    await pass(world, 14)
    expect(await triesOf()).toEqual({ tries: 1, errors: [] })
    expect(await mailIssues(world, id)).toEqual([])
    const { warnings } = (await world.detail(id)).counters
    await pass(world, 2)
    const { hash: storeHash } = world.address('destination')
    const { organisationId } = world
    const errors = [{ organisationId, storeHash, runId: id, sideEffect: 'mail', component: 'orders' }]
    expect(await triesOf()).toEqual({ tries: 1, errors })
    // Not again within a minute, and then silently.
    expect(await triesOf()).toEqual({ tries: 0, errors: [] })
    await pass(world, 2)
    expect(await triesOf()).toEqual({ tries: 1, errors: [] })
    const [issue, ...others] = await mailIssues(world, id)
    expect(others).toEqual([])
    expect(issue).toMatchObject({ state: 'open', severity: 'warning', item: { sourceId: storeHash } })
    for (const setting of await mutedSettings(world)) expect(issue?.message).toContain(setting)
    expect((await world.detail(id)).counters.warnings).toBe(warnings + 1)

    await world.clearFaults('destination')
    await pass(world, 2)
    expect(await world.sweep()).toEqual([])
    expect(await mutedSettings(world)).toEqual([])
    expect(await mailSettings(world)).toEqual(before)
    expect(await mailIssues(world, id)).toMatchObject([{ state: 'healed' }])
  },
)

longTest(
  'D5: a store disconnected with its mails off is reported at once, and its settings are restored when it is reconnected',
  async () => {
    const world = await aTalkativeShop()
    const before = await mailSettings(world)
    const id = await runThatLeavesThemOff(world)
    const { hash, token } = world.address('destination')
    await sql`update stores set disconnected_at = now(), token_encrypted = null where hash = ${hash}`.execute(
      world.database,
    )
    await world.clearFaults('destination')
    expect(await world.sweep()).toMatchObject([{ storeHash: hash, runId: id }])
    expect((await mailIssues(world, id))[0]?.message).toContain('the store was disconnected')
    await pass(world, 5)
    await world.resetRequests('destination')
    expect(await world.sweep()).toEqual([])
    expect(await world.requests('destination')).toEqual([])
    expect(await mailSettings(world)).not.toEqual(before)
    await world.reconnect('destination', token)
    await world.sweep()
    expect(await mutedSettings(world)).toEqual([])
    expect(await mailSettings(world)).toEqual(before)
  },
)
