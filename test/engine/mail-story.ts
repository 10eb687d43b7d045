import { until } from '../harness/until.ts'
import { aWorld, type World, type WorldOptions } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { sideEffects } from './side-effect-story.ts'
import { waitUntilChildKnows } from './wait-until-child-knows.ts'

export const creating = { method: 'POST', path: '^/v2/orders$' } as const
export const statuses = '/v3/settings/email-statuses'
export const notices = '/v3/orders/settings'

/** A destination whose merchant and shoppers get mails; the store and its channel have their own settings. */
export async function aTalkativeShop(options: WorldOptions = {}): Promise<World> {
  // Longer than a test holds an order: the run cannot end before the answer is released.
  const world = await aWorld({ entities: ['currencies', 'orders'], requestTimeoutSeconds: 30, ...options })
  const ofChannel = `${statuses}?channel_id=1`
  await callStore(world, 'destination', 'PUT', statuses, { combined_order_status_email: true })
  await callStore(world, 'destination', 'PUT', ofChannel, {
    ...(await callStore(world, 'destination', 'GET', ofChannel)),
    invoice_email: true,
  })
  const staff = { order_placed: { email_addresses: ['staff@example.com'] }, forward_invoice: { email_addresses: [] } }
  await callStore(world, 'destination', 'PUT', notices, { notifications: staff })
  return world
}

/** Which mails the destination sends to whom. */
export async function mailSettings(world: World): Promise<Record<string, unknown>[]> {
  const paths = [statuses, `${statuses}?channel_id=1`, notices, `${notices}/channels/1`]
  return Promise.all(paths.map((path) => callStore(world, 'destination', 'GET', path)))
}

export const sentMails = async (world: World) => (await world.state('destination')).outbox ?? []

/** Settings that we switched off, or are about to, and have not restored. */
export const mutedSettings = async (world: World) => (await sideEffects(world, 'mail')).map(({ subject }) => subject)

/** A run that has switched mails off, and waits for the answer to an order. */
export async function runHeldAtAnOrder(world: World): Promise<string> {
  await world.fault('destination', { kind: 'hold_after_applying', ...creating, times: 1 })
  const id = await world.migrate()
  await until('an order is under way', async () => ((await world.state('destination')).orders ?? []).length > 0)
  return id
}

/** Stops a run while its answers are held, then releases them. */
export async function stop(world: World, id: string, how: 'pause' | 'cancel'): Promise<void> {
  await world.api('POST', `/v2/migrations/${id}/${how}`)
  await waitUntilChildKnows(world, id)
  await world.release('destination')
  await world.finished(id, { status: how === 'pause' ? 'paused' : 'cancelled' })
}
