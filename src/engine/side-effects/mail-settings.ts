import type { StoreClient } from '../../bigcommerce/client.ts'
import { PlatformError, UnconfirmedWriteError } from '../../bigcommerce/errors.ts'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../db/core/database.ts'
import type { StorePair } from '../../db/ledger/store-pair.ts'
import { settleIssues } from '../../db/reports/healing.ts'
import { writeSnapshot } from '../../db/runs/snapshots.ts'
import {
  endMuted,
  mutedSettings,
  type SettingValues,
  saveMuted,
  withMailLock,
} from '../../db/side-effects/muted-settings.ts'
import { storefrontsOf } from '../../entities/core/storefront-channels.ts'
import { sideEffectComponent } from '../../entities/registry.ts'
import { same } from '../core/pairing.ts'

type Store = Pick<StoreClient, 'get' | 'write'>

/** A group of settings that decides who gets mails about orders. */
interface MailSetting {
  key: string
  read(store: Store): Promise<SettingValues>
  write(store: Store, values: SettingValues): Promise<unknown>
}

const statusesKey = 'email-statuses'
const noticesKey = 'order-notifications'

/** The channel of a key; none for the whole store. */
function settingOf(key: string): MailSetting {
  const [kind, channelId] = key.split('/')
  return kind === noticesKey ? notices(key, channelId) : statuses(key, channelId)
}

/** Most are written as a whole, with all that was read. */
function statuses(key: string, channelId: string | undefined): MailSetting {
  const path = '/v3/settings/email-statuses'
  const query = channelId === undefined ? {} : { channel_id: channelId }
  return {
    key,
    read: async (store) => (await store.get<{ data?: SettingValues }>(path, query)).body.data ?? {},
    write: (store, values) => store.write({ method: 'PUT', path, query, body: values }),
  }
}

function notices(key: string, channelId: string | undefined): MailSetting {
  const path = `/v3/orders/settings${channelId === undefined ? '' : `/channels/${channelId}`}`
  type Answer = { notifications?: Record<string, { email_addresses?: unknown }> }
  return {
    key,
    read: async (store) => {
      const { body } = await store.get<Answer & { data?: Answer }>(path)
      // The published file shows them bare, although all else of v3 is wrapped in `data`.
      const notifications = Object.entries((body.data ?? body).notifications ?? {})
      return Object.fromEntries(notifications.map(([kind, { email_addresses = null }]) => [kind, email_addresses]))
    },
    write: (store, values) => {
      const notifications = Object.entries(values).map(([kind, email_addresses]) => [kind, { email_addresses }])
      return store.write({ method: 'PUT', path, body: { notifications: Object.fromEntries(notifications) } })
    },
  }
}

/** Not about orders: shoppers of a live store still get these. */
const notAboutOrders = /account|abandoned|review/

/** A channel that inherits from the store keeps doing so, and is off with it. */
function muted(values: SettingValues): SettingValues {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (notAboutOrders.test(name)) return [name, value]
      if (value === true) return [name, false]
      return [name, Array.isArray(value) ? [] : value]
    }),
  )
}

interface MailDeps {
  database: Database
  store: Store
  storeHash: string
}

/** Waits before a write without an answer is repeated. Shorter: a store that fails for a moment ends the process of the run. */
const putAgainMs = [1_000, 2_000, 4_000, 8_000, 16_000]

/**
 * Writes a setting as a whole, which gives the same when it is done twice.
 *
 * @throws UnconfirmedWriteError when the answer was lost each time.
 */
async function putSurely(
  setting: MailSetting,
  { store, clock }: { store: Store; clock: Clock },
  values: SettingValues,
  signal: AbortSignal,
): Promise<void> {
  for (const pauseMs of putAgainMs) {
    try {
      await setting.write(store, values)
      return
    } catch (error) {
      if (!(error instanceof UnconfirmedWriteError)) throw error
    }
    await clock.sleep(pauseMs, signal)
    if (same(await setting.read(store), values)) return
  }
  await setting.write(store, values)
}

/**
 * Switches mails about orders off (D5). A setting that was changed since an earlier run switched it off is restored to that change;
 * the others are restored to their state before that run.
 */
export async function muteMails(
  deps: MailDeps & { clock: Clock },
  pair: StorePair,
  runId: string,
  signal: AbortSignal,
): Promise<void> {
  const { database, store, storeHash } = deps
  await withMailLock(database, storeHash, async () => {
    const left = await mutedSettings(database, storeHash)
    const before = new Map(left.map((one) => [one.setting, one]))
    const channels = await storefrontsOf(store, undefined, { signal })
    const keys = [statusesKey, noticesKey].flatMap((kind) => [kind, ...channels.map((id) => `${kind}/${id}`)])
    for (const key of keys) {
      const setting = settingOf(key)
      const current = await setting.read(store)
      const ours = muted(current)
      const known = before.get(key)
      if (!known && same(current, ours)) continue
      const original = Object.fromEntries(
        Object.entries(current).map(([name, value]) => [
          name,
          known && name in known.ours && same(value, known.ours[name]) ? known.original[name] : value,
        ]),
      )
      await saveMuted(database, pair, { storeHash, runId }, { setting: key, original, ours })
      if (!same(current, ours)) await putSurely(setting, deps, ours, signal)
    }
    // From here on this run has to restore them.
    await settleReported(database, storeHash, left)
  })
}

/** Restores settings that still have our value, and forgets them. @param mayStill called under the lock */
export async function restoreMails(
  { database, store, storeHash }: MailDeps,
  mayStill: () => Promise<boolean> = async () => true,
): Promise<void> {
  await withMailLock(database, storeHash, async () => {
    if (!(await mayStill())) return
    const left = await mutedSettings(database, storeHash)
    for (const [at, { setting: key, original, ours }] of left.entries()) {
      await restoreOne(settingOf(key), store, original, ours)
      // Before the last is forgotten: if the process dies in between, both are done again.
      if (at === left.length - 1) await settleReported(database, storeHash, left)
      await endMuted(database, storeHash, key)
    }
  })
}

/** The key of the issue about mails that are still off; it is about a store. */
export function mutedMailsIssue(storeHash: string) {
  return { component: sideEffectComponent('mail'), sourceId: storeHash, code: 'mails_muted' as const }
}

async function settleReported(
  database: Database,
  storeHash: string,
  left: { organisationId: string; runId: string; reported: boolean }[],
): Promise<void> {
  const runs = new Map(
    left.filter(({ reported }) => reported).map(({ runId, organisationId }) => [runId, organisationId]),
  )
  for (const [id, organisationId] of runs) {
    await database.transaction().execute(async (tx) => {
      await settleIssues(tx, { id, organisationId }, [mutedMailsIssue(storeHash)])
      await writeSnapshot(tx, organisationId, id)
    })
  }
}

async function restoreOne(
  setting: MailSetting,
  store: Store,
  original: SettingValues,
  ours: SettingValues,
): Promise<void> {
  try {
    const current = await setting.read(store)
    const desired = Object.fromEntries(
      Object.entries(current).map(([name, value]) => [
        name,
        name in ours && same(value, ours[name]) ? original[name] : value,
      ]),
    )
    if (!same(current, desired)) await setting.write(store, desired)
  } catch (error) {
    // A deleted channel sends no mails.
    if (!(error instanceof PlatformError && error.httpStatus === 404)) throw error
  }
}

/** Keeps mails of the destination off for one run, from its first write that could send one. */
export class MailMute {
  private held: Promise<void> | undefined
  private readonly mute: () => Promise<void>
  private readonly restore: () => Promise<void>

  constructor({ mute, restore }: { mute: () => Promise<void>; restore: () => Promise<void> }) {
    this.mute = mute
    this.restore = restore
  }

  /** Resolves when no later write can send a mail. */
  hold(): Promise<void> {
    this.held ??= this.mute().catch((error: unknown) => {
      this.held = undefined
      throw error
    })
    return this.held
  }

  /** Also restores what an earlier run left off, as no other run writes there. Call it when no write is under way. */
  async release(): Promise<void> {
    await this.held?.catch(() => undefined)
    this.held = undefined
    await this.restore()
  }
}
