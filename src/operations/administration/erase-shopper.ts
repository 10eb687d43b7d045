import { createHmac } from 'node:crypto'
import { actorOf } from '../../accounts/api-credentials.ts'
import type { Administrator } from '../../accounts/caller.ts'
import type { Keyring } from '../../accounts/encryption.ts'
import { emailKey } from '../../accounts/name-key.ts'
import type { StoreClient } from '../../bigcommerce/client.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { recordAudit } from '../../db/accounts/audit.ts'
import { listStores, type StoreRow } from '../../db/accounts/stores.ts'
import type { InTransaction } from '../../db/core/database.ts'
import { type ErasedTexts, eraseTexts } from '../../db/erase/erase-text.ts'
import { holdOrganisation } from '../../db/erase/hold-organisation.ts'
import { indexRunsAgain } from '../../db/erase/index-again.ts'
import { countMappings, hasAccount, type ItemAtStore, itemsAtAllStores, storeIds } from '../../db/erase/person-ids.ts'
import { deleteCopies, deleteImages, sealedCopies, sealedImages } from '../../db/erase/sealed-items.ts'
import { Protection } from '../../engine/core/protection.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import { componentOf } from '../../entities/registry.ts'
import { liveRead } from '../shared/live-read.ts'
import type { Deps } from '../shared/operation.ts'
import { requireOrganisation } from '../shared/registered-organisation.ts'
import { inTransaction } from './undone.ts'
import { owningPeople, people, rootOfPass, type Shopper, type Whose, whoseItem } from './whose-item.ts'

export interface ShopperToErase {
  organisation: string
  email: string
  /** Ids of the customer at stores that no longer know the address, as `HASH/ID`. */
  customerIds: string[]
}

export interface ErasedShopper {
  organisation: string
  /** Where the shopper has or had an account, and where the address was subscribed, as `HASH/ID`. */
  accounts: { component: string; label: string; ids: string[] }[]
  /** Connected stores that did not answer, with the reason. */
  unreached: { hash: string; reason: string }[]
  /** Encrypted originals that were the shopper's. */
  originals: number
  /** Those of which nothing says whose they were. */
  unknownOriginals: number
  /** Whether these were kept, because nothing of the shopper was found at all. */
  keptUnknown: boolean
  /** Encrypted items of runs that have not ended. */
  copies: number
  /** Rows in which the address stood in clear, by table. */
  texts: ErasedTexts['rows']
  /** Runs among them. */
  runIds: string[]
  /** Pairs of ids that stay. */
  mappings: number
  /** A person of the same address has an account here, which is not touched. */
  hasAccount: boolean
}

type ErasureDeps = Pick<Deps, 'database' | 'clock' | 'keyring' | 'openStore' | 'leaveStores'>

/**
 * Erases a shopper from what the service has stored of an organisation (S9). Ids and keyed hashes stay, so that later
 * runs recognise what is left and never create the person again (G12).
 *
 * @param decide given what would be erased; only if it answers true is it erased
 */
export async function eraseShopper(
  deps: ErasureDeps,
  by: Administrator,
  shopper: ShopperToErase,
  decide: (would: ErasedShopper) => Promise<boolean>,
): Promise<ErasedShopper | undefined> {
  const email = emailKey(shopper.email)
  if (!/^[^\s"\\@]+@[^\s"\\@]+$/.test(email))
    throw new ServiceError('validation_failed', `${JSON.stringify(shopper.email)} is not an email address.`)
  const { id: organisationId, name } = await requireOrganisation(deps.database, shopper.organisation)
  const found = await findAtStores(deps, organisationId, email)
  const erasure: Erasure = { deps, by, organisationId, name, email, found, customerIds: shopper.customerIds }
  const would = await inTransaction(deps, (tx) => erase(tx, erasure), { keep: false })
  if (!(await decide(would))) return undefined
  return inTransaction(deps, (tx) => erase(tx, erasure), { keep: true })
}

interface Erasure {
  deps: ErasureDeps
  by: Administrator
  organisationId: string
  name: string
  email: string
  found: Found
  customerIds: string[]
}

interface Found {
  /** By component. */
  accounts: Map<string, ItemAtStore[]>
  searched: Set<string>
  unreached: ErasedShopper['unreached']
}

/** By the address, which only the stores know. */
async function findAtStores(deps: ErasureDeps, organisationId: string, email: string): Promise<Found> {
  const accounts = new Map<string, ItemAtStore[]>(people.map((component) => [component, []]))
  const found: Found = { accounts, searched: new Set(), unreached: [] }
  const stores = await listStores(deps.database, organisationId)
  const ask = async (store: StoreRow) => {
    try {
      for (const [component, known] of accounts) known.push(...(await idsOf(deps, store, component, email)))
      found.searched.add(store.id)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      found.unreached.push({ hash: store.hash, reason: error.message })
    }
  }
  await Promise.all(stores.map(ask))
  await deps.leaveStores(stores.map(({ hash }) => hash))
  return found
}

async function idsOf(
  { clock, openStore }: ErasureDeps,
  store: StoreRow,
  component: string,
  email: string,
): Promise<ItemAtStore[]> {
  const client = openStore(store, { readOnly: true })
  // A key ends with the address.
  const sought = { keys: [[`:${email}`]], parentIds: [] }
  const drafts = await liveRead(clock, async (signal) => {
    const patient: Pick<StoreClient, 'get'> = { get: (path, query) => client.get(path, query, { signal }) }
    return (await componentOf(component).probe?.(patient, sought)) ?? []
  })
  return drafts
    .filter(({ body }) => emailKey(String(body.email ?? '')) === email)
    .map(({ id }) => ({ storeId: store.id, id }))
}

async function erase(tx: InTransaction, erasure: Erasure): Promise<ErasedShopper> {
  const { organisationId, name, email, by, deps } = erasure
  await hold(tx, organisationId, name)
  const hashes = await storeIds(tx, organisationId)
  const shopper = await shopperOf(tx, erasure, hashes)
  const sealed = await eraseSealed(tx, erasure, shopper)
  const { rows: texts, runIds } = await eraseTexts(tx, organisationId, email)
  await indexRunsAgain(tx, organisationId, runIds)
  let mappings = 0
  for (const [component, known] of shopper.accounts)
    mappings += await countMappings(tx, organisationId, component, known)
  const counts = { originals: sealed.originals, copies: sealed.copies, texts: total(texts) }
  const entry = { action: 'shopper.erase' as const, details: counts, at: deps.clock.now() }
  await recordAudit(tx, { organisationId, ...actorOf(by), ...entry })
  return {
    organisation: name,
    accounts: [...shopper.accounts].map(([component, known]) => {
      const ids = known.map(({ storeId, id }) => `${hashes.get(storeId)}/${id}`)
      return { component, label: componentOf(component).label, ids }
    }),
    unreached: erasure.found.unreached,
    ...sealed,
    texts,
    runIds,
    mappings,
    hasAccount: await hasAccount(tx, organisationId, email),
  }
}

/** A run that goes on would write again what is erased. */
async function hold(tx: InTransaction, organisationId: string, name: string): Promise<void> {
  const active = await holdOrganisation(tx, organisationId)
  if (active === undefined) throw new ServiceError('not_found', `${name} was erased meanwhile.`)
  if (active.length > 0)
    throw new ServiceError(
      'invalid_transition',
      `Migrations of ${name} are queued or in progress and would read the shopper again: ${active.join(', ')}. Pause or cancel them, then run this again.`,
    )
}

async function shopperOf(
  tx: InTransaction,
  { organisationId, email, found, customerIds }: Erasure,
  hashes: ReadonlyMap<string, string>,
): Promise<Shopper> {
  const accounts = new Map<string, ItemAtStore[]>()
  for (const [component, known] of found.accounts) {
    const given = component === owningPeople ? customerIds.map((text) => givenCustomer(text, hashes)) : []
    accounts.set(component, await itemsAtAllStores(tx, organisationId, component, [...known, ...given]))
  }
  return { email, accounts, searchedStores: found.searched }
}

function givenCustomer(text: string, hashes: ReadonlyMap<string, string>): ItemAtStore {
  const [, hash = '', id = ''] = /^([a-z0-9]+)\/(\d+)$/.exec(text) ?? []
  const storeId = [...hashes].find(([, of]) => of === hash)?.[0]
  if (storeId === undefined || id === '')
    throw new ServiceError(
      'validation_failed',
      `${JSON.stringify(text)} names no customer: write STORE-HASH/CUSTOMER-ID, with a store of the organisation.`,
    )
  return { storeId, id }
}

type SealedCounts = Pick<ErasedShopper, 'originals' | 'unknownOriginals' | 'keptUnknown' | 'copies'>

async function eraseSealed(
  tx: InTransaction,
  { deps, organisationId }: Erasure,
  shopper: Shopper,
): Promise<SealedCounts> {
  const [originals, copies] = [
    await eraseImages(tx, deps.keyring, organisationId, shopper, 'shopper'),
    await eraseCopies(tx, deps.keyring, organisationId, shopper),
  ]
  const isKnown = [...shopper.accounts.values()].some(({ length }) => length > 0) || originals + copies > 0
  // Without any trace of the shopper, a mistyped address would cost the originals of everyone.
  const unknownOriginals = await eraseImages(tx, deps.keyring, organisationId, shopper, 'unknown', isKnown)
  return { originals, copies, unknownOriginals, keptUnknown: unknownOriginals > 0 && !isKnown }
}

async function eraseImages(
  tx: InTransaction,
  keyring: Keyring,
  organisationId: string,
  shopper: Shopper,
  whose: Whose,
  deletes = true,
): Promise<number> {
  let count = 0
  for await (const page of sealedImages(tx, organisationId)) {
    const theirs = page.filter((image) => {
      const { component, storeId, itemId, sourceStoreId } = image
      const root = image.root ? { ...image.root, storeId: sourceStoreId } : undefined
      const body = opened(keyring, image, component)
      return whoseItem(shopper, { component, storeId, itemId, root, body }) === whose
    })
    if (deletes) await deleteImages(tx, theirs)
    count += theirs.length
  }
  return count
}

/** A run that goes on reads what is missing again, by its id, and finds that it is gone if it is. */
async function eraseCopies(
  tx: InTransaction,
  keyring: Keyring,
  organisationId: string,
  shopper: Shopper,
): Promise<number> {
  let count = 0
  for await (const page of sealedCopies(tx, organisationId, sealedField)) {
    const theirs = page.filter((copy) => {
      const component = rootOfPass.get(copy.pass)
      if (component === undefined) return false
      const { storeId, itemId } = copy
      return whoseItem(shopper, { component, storeId, itemId, body: opened(keyring, copy, component) }) === 'shopper'
    })
    await deleteCopies(tx, theirs)
    count += theirs.length
  }
  return count
}

/** Where `Protection` puts what it encrypts. */
const sealedField = 'sealed item'

/** Undefined for what was damaged. The keys are those that `startMessage` gives to a run. */
function opened(
  keyring: Keyring,
  { salt, sealed, itemId }: { salt: Buffer; sealed: string; itemId: string },
  component: string,
): PlatformItem | undefined {
  const imageKey = createHmac('sha256', keyring.subkey('before-images')).update(salt).digest()
  try {
    return new Protection(Buffer.alloc(0), imageKey).unstaged(component, itemId, { [sealedField]: sealed })
  } catch {
    return undefined
  }
}

function total(rows: Record<string, number>): number {
  return Object.values(rows).reduce((sum, count) => sum + count, 0)
}
