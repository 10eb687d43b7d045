import { z } from 'zod'
import { storeContext } from '../../accounts/app/app-payload.ts'
import type { Visitor } from '../../accounts/caller.ts'
import { limits } from '../../contract/primitives/limits.ts'
import {
  deleteExpiredInstallations,
  findInstallation,
  installationTokenContext,
  lockInstallation,
  saveClaimed,
  saveUnclaimed,
} from '../../db/accounts/app-installations.ts'
import { keepOrganisation } from '../../db/accounts/organisations.ts'
import { findStore, type StoreRow } from '../../db/accounts/stores.ts'
import type { InTransaction } from '../../db/core/database.ts'
import { holdWritingKey } from '../../db/core/encryption-check.ts'
import { type Deps, defineOperation } from '../shared/operation.ts'
import { saveConnection } from '../shared/store-connection.ts'
import { newClaimKey, requireStoreApp } from './app-installation.ts'

const input = z.strictObject({
  code: z.string().min(1).max(1_000),
  context: storeContext,
  scope: z.string().max(10_000),
})
const output = z.strictObject({
  claimKey: z.string().nullable().describe('For the link with which an owner claims the store; null if it is claimed.'),
})

/** The code is proof that the platform sent the caller. It is not proof of who the caller is to us (S1). */
export const installApp = defineOperation<z.infer<typeof input>, z.infer<typeof output>, Visitor>({
  name: 'install-app',
  summary:
    'Exchange the code of an installation for the token of the store, which stays unclaimed unless an organisation has it.',
  input,
  output,
  async run({ code, context: hash, scope }, _, deps) {
    const { token, grantedAt } = await requireStoreApp(deps).exchange({ code, hash, scope })
    // By itself: in the transaction, it would hold rows of stores whose installations it has not locked yet.
    await deleteExpiredInstallations(deps.database, deps.clock.now())
    const claimKey = await deps.database.transaction().execute(async (transaction) => {
      await lockInstallation(transaction, hash)
      const store = await findClaimedStore(transaction, hash)
      const granted = { hash, token, installedAt: grantedAt }
      if (!store) return keepUnclaimed(transaction, granted, deps)
      await renewToken(transaction, store, granted, deps)
      return null
    })
    return { claimKey }
  },
})

interface Granted {
  hash: string
  token: string
  installedAt: Date
}

/** The store of the organisation that claimed the previous installation, unless the app was uninstalled since. */
async function findClaimedStore(transaction: InTransaction, hash: string): Promise<StoreRow | undefined> {
  const present = await findInstallation(transaction, hash)
  if (!present?.organisationId || !(await keepOrganisation(transaction, present.organisationId))) return undefined
  return findStore(transaction, present.organisationId, hash)
}

/** The platform has voided the token before, and the store stays where it is. */
async function renewToken(
  transaction: InTransaction,
  { organisationId, label }: StoreRow,
  { hash, token, installedAt }: Granted,
  deps: Deps,
): Promise<void> {
  const actor = { actor: 'visitor' as const, actorUserId: null }
  const connection = { organisationId, hash, shopName: label, token, from: 'app' as const }
  const { id: storeId } = await saveConnection(transaction, connection, actor, deps)
  await saveClaimed(transaction, { hash, installedAt, organisationId, storeId })
}

async function keepUnclaimed(
  transaction: InTransaction,
  { hash, token, installedAt }: Granted,
  { clock, keyring }: Deps,
): Promise<string> {
  const { claimKey, claimHash } = newClaimKey()
  const writingKey = await holdWritingKey(transaction)
  const tokenEncrypted = keyring.encrypt(token, installationTokenContext(hash), writingKey)
  const claimUntil = new Date(clock.now().getTime() + limits.claimSeconds * 1000)
  await saveUnclaimed(transaction, { hash, installedAt, tokenEncrypted, claimHash, claimUntil })
  return claimKey
}
