import type { StoreClient } from '../../bigcommerce/client.ts'
import { PlatformError, UnconfirmedWriteError, UnreadableAnswerError } from '../../bigcommerce/errors.ts'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../db/core/database.ts'
import type { IssueToWrite } from '../../db/ledger/issues.ts'
import type { StorePair } from '../../db/ledger/store-pair.ts'
import { withShopLock } from '../../db/side-effects/shop-lock.ts'
import { endSideEffect, type SideEffect, saveSideEffects, sideEffectsOf } from '../../db/side-effects/side-effects.ts'
import { storefrontsOf } from '../../entities/core/storefront-channels.ts'
import { sideEffectComponent } from '../../entities/registry.ts'
import { same } from '../core/pairing.ts'
import { settleReports } from './reports.ts'

type Store = Pick<StoreClient, 'get' | 'write'>
type SettingValues = SideEffect['desired']
/** The last check before the socket. */
type BeforeSend = () => Promise<void>

/** A group of settings that decides who gets mails about orders. */
interface MailSetting {
  key: string
  read(store: Store): Promise<SettingValues>
  write(store: Store, values: SettingValues, beforeSend: BeforeSend): Promise<unknown>
}

const statusesKey = 'email-statuses'
const noticesKey = 'order-notifications'

/** The setting of a key, which names a channel or, for the whole store, none. */
export function settingOf(key: string): MailSetting {
  const [kind, channelId] = key.split('/')
  return kind === noticesKey ? notices(key, channelId) : statuses(key, channelId)
}

/** Written as a whole, with everything that was read. */
function statuses(key: string, channelId: string | undefined): MailSetting {
  const path = '/v3/settings/email-statuses'
  const query = channelId === undefined ? {} : { channel_id: channelId }
  return {
    key,
    read: async (store) => {
      const { data } = (await store.get<{ data?: SettingValues }>(path, query)).body
      return channelId === undefined ? statusesOfStore(data) : (data ?? {})
    },
    write: (store, values, beforeSend) => store.write({ method: 'PUT', path, query, body: values, beforeSend }),
  }
}

/** @throws UnreadableAnswerError without any, because mails would stay on, or never be switched on again. */
function statusesOfStore(shown: SettingValues | null | undefined): SettingValues {
  if (Object.values(shown ?? {}).some((value) => typeof value === 'boolean')) return shown ?? {}
  throw new UnreadableAnswerError('The answer does not say which mails the store sends.')
}

function notices(key: string, channelId: string | undefined): MailSetting {
  const path = `/v3/orders/settings${channelId === undefined ? '' : `/channels/${channelId}`}`
  type Answer = { notifications?: Record<string, { email_addresses?: unknown }> }
  return {
    key,
    read: async (store) => {
      const { body } = await store.get<Answer & { data?: Answer }>(path)
      // The published specification shows them bare, although everything else in v3 is wrapped in `data`.
      const notifications = Object.entries((body.data ?? body).notifications ?? {})
      return Object.fromEntries(notifications.map(([kind, { email_addresses = null }]) => [kind, email_addresses]))
    },
    write: (store, values, beforeSend) => {
      const notifications = Object.entries(values).map(([kind, email_addresses]) => [kind, { email_addresses }])
      const body = { notifications: Object.fromEntries(notifications) }
      return store.write({ method: 'PUT', path, body, beforeSend })
    },
  }
}

/** Mails that are not about orders: shoppers of a live store still get them. */
const notAboutOrders = /account|abandoned|review/

/** A channel that inherits from the store keeps doing so, and is muted with it. */
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
  /** @throws when another process has become responsible for the store */
  beforeSend: BeforeSend
}

/**
 * How long to wait before a write without an answer is repeated. With less, a store that fails for a moment would end
 * the run's process.
 */
const putAgainMs = [1_000, 2_000, 4_000, 8_000, 16_000]

/**
 * Writes a setting as a whole, which may be done twice with the same result.
 *
 * @throws UnconfirmedWriteError when the answer was lost every time.
 */
async function putSurely(
  setting: MailSetting,
  { store, clock, beforeSend }: Pick<MailDeps, 'store' | 'beforeSend'> & { clock: Clock },
  values: SettingValues,
  signal: AbortSignal,
): Promise<void> {
  for (const pauseMs of putAgainMs) {
    try {
      await setting.write(store, values, beforeSend)
      return
    } catch (error) {
      if (!(error instanceof UnconfirmedWriteError)) throw error
    }
    await clock.sleep(pauseMs, signal)
    if (same(await setting.read(store), values)) return
  }
  await setting.write(store, values, beforeSend)
}

const about = { component: sideEffectComponent('mail'), code: 'mails_muted' } as const

/**
 * Switches off mails about orders (D5). If a setting was changed since an earlier run switched it off, that change is
 * what will be restored; otherwise it is the state before that run.
 */
export async function muteMails(
  deps: MailDeps & { clock: Clock },
  pair: StorePair,
  runId: string,
  signal: AbortSignal,
): Promise<void> {
  const { database, store, storeHash } = deps
  await withShopLock(database, storeHash, async () => {
    const left = await sideEffectsOf(database, storeHash, 'mail')
    const before = new Map(left.map((one) => [one.subject, one]))
    const channels = await storefrontsOf(store, undefined, { signal })
    const keys = [statusesKey, noticesKey].flatMap((kind) => [kind, ...channels.map((id) => `${kind}/${id}`)])
    for (const key of keys) {
      const setting = settingOf(key)
      const current = await setting.read(store)
      const ours = muted(current)
      const known = before.get(key)
      if (!known && same(current, ours)) continue
      const desired = known ? asBefore(known, current) : current
      await saveSideEffects(database, pair, runId, [
        { kind: 'mail', component: about.component, subject: key, desired, ours },
      ])
      if (!same(current, ours)) await putSurely(setting, deps, ours, signal)
    }
    // From here on, this run has to restore them.
    await database.transaction().execute((tx) => settleReports(tx, left, mutedMails(storeHash)))
  })
}

/** Gives back the merchant's value to whatever still has ours; the rest stays as it is now. */
function asBefore({ desired, ours }: Pick<SideEffect, 'desired' | 'ours'>, current: SettingValues): SettingValues {
  return Object.fromEntries(
    Object.entries(current).map(([name, value]) => [
      name,
      ours && name in ours && same(value, ours[name]) ? desired[name] : value,
    ]),
  )
}

/** Restores settings that still have our value, and forgets them. Call it while holding the shop's lock. */
export async function restoreMails({ database, store, storeHash, beforeSend }: MailDeps): Promise<void> {
  const left = await sideEffectsOf(database, storeHash, 'mail')
  for (const [at, one] of left.entries()) {
    await restoreOne(one, store, beforeSend)
    await database.transaction().execute(async (tx) => {
      await endSideEffect(tx, one)
      if (at === left.length - 1) await settleReports(tx, left, mutedMails(storeHash))
    })
  }
}

async function restoreOne(one: SideEffect, store: Store, beforeSend: BeforeSend): Promise<void> {
  const setting = settingOf(one.subject)
  try {
    const current = await setting.read(store)
    const desired = asBefore(one, current)
    if (!same(current, desired)) await setting.write(store, desired, beforeSend)
  } catch (error) {
    // A deleted channel sends no mails.
    if (!(error instanceof PlatformError && error.httpStatus === 404)) throw error
  }
}

/** The key of the issue about a store whose mails are still off. */
function mutedMails(storeHash: string) {
  return { ...about, sourceId: storeHash }
}

export function mutedMailsIssue(storeHash: string, settings: string[], why: string): IssueToWrite {
  const message = `Mails about orders are still switched off at ${storeHash} (${settings.join(', ')}): ${why}.`
  const item = { name: null, sku: null, path: null }
  return { ...mutedMails(storeHash), phase: about.component, severity: 'warning', message, item }
}
