import { z } from 'zod'
import type { Visitor } from '../../accounts/caller.ts'
import { findInstallation, lockInstallation, saveClaimHash } from '../../db/accounts/app-installations.ts'
import { defineOperation } from '../shared/operation.ts'
import { newClaimKey, requireStoreApp } from './app-installation.ts'

const input = z.strictObject({ payload: z.string().max(10_000) })
const output = z.strictObject({
  state: z.enum(['unclaimed', 'of-owner', 'connected', 'not-installed']),
  claimKey: z.string().nullable().describe('For the link with which an owner claims the store; only if `unclaimed`.'),
})
type Output = z.infer<typeof output>

/** Neither signs anyone in nor links a user (S1): it only says whether the store is connected. */
export const loadApp = defineOperation<z.infer<typeof input>, Output, Visitor>({
  name: 'load-app',
  summary: 'What the app shows in the control panel of a store: a link to claim it, or that it is connected.',
  input,
  output,
  async run({ payload }, _, deps) {
    const { hash, issuedAt, byOwner } = await requireStoreApp(deps).verify(payload)
    return deps.database.transaction().execute(async (transaction): Promise<Output> => {
      await lockInstallation(transaction, hash)
      const present = await findInstallation(transaction, hash)
      if (!present) return withoutLink('not-installed')
      if (present.claimUntil === null) return withoutLink('connected')
      // A payload that was signed before the installation is a copy of one for an earlier installation.
      if (present.claimUntil <= deps.clock.now() || issuedAt < present.installedAt) return withoutLink('not-installed')
      // The platform also lets users without any rights to the store's tokens open an app.
      if (!byOwner) return withoutLink('of-owner')
      const { claimKey, claimHash } = newClaimKey()
      await saveClaimHash(transaction, hash, claimHash)
      return { state: 'unclaimed', claimKey }
    })
  },
})

function withoutLink(state: Output['state']): Output {
  return { state, claimKey: null }
}
