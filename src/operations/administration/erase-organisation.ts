import { actorOf } from '../../accounts/api-credentials.ts'
import type { Administrator } from '../../accounts/caller.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { recordAudit } from '../../db/accounts/audit.ts'
import type { InTransaction } from '../../db/core/database.ts'
import { deleteOrganisation, type OrganisationRows } from '../../db/erase/erase-organisation.ts'
import { holdOrganisation, listSideEffects } from '../../db/erase/hold-organisation.ts'
import { indexRunsAgain } from '../../db/erase/index-again.ts'
import type { Deps } from '../shared/operation.ts'
import { requireOrganisation } from '../shared/registered-organisation.ts'
import { inTransaction } from './undone.ts'

export interface OrganisationToErase {
  organisation: string
  /** Erase it even if a migration left something switched off at a shop, which then stays so. */
  leaveSwitchedOff: boolean
}

export interface ErasedOrganisation extends OrganisationRows {
  name: string
}

/**
 * Deletes an organisation with everything that it has here. To keep its history, remove it from Store Migration instead:
 * that cancels its runs and deletes nothing.
 *
 * @param decide given what would be deleted; only if it answers true is it deleted
 */
export async function eraseOrganisation(
  deps: Pick<Deps, 'database' | 'clock'> & { hasIndex: boolean },
  by: Administrator,
  { organisation, leaveSwitchedOff }: OrganisationToErase,
  decide: (would: ErasedOrganisation) => Promise<boolean>,
): Promise<ErasedOrganisation | undefined> {
  const { id, name } = await requireOrganisation(deps.database, organisation)
  const erase = async (tx: InTransaction) => {
    await refuseUnfinished(tx, { id, name, leaveSwitchedOff })
    const erased = await deleteOrganisation(tx, id)
    const { people, runIds } = erased
    if (deps.hasIndex) await indexRunsAgain(tx, id, runIds)
    const entry = {
      action: 'organisation.erase' as const,
      details: { runs: runIds.length, people },
      at: deps.clock.now(),
    }
    await recordAudit(tx, { organisationId: null, ...actorOf(by), ...entry })
    return { name, ...erased }
  }
  if (!(await decide(await inTransaction(deps, erase, { keep: false })))) return undefined
  return inTransaction(deps, erase, { keep: true })
}

interface Unfinished {
  id: string
  name: string
  leaveSwitchedOff: boolean
}

/** Nothing would end it, or put it back, once the organisation is gone. */
async function refuseUnfinished(tx: InTransaction, { id, name, leaveSwitchedOff }: Unfinished): Promise<void> {
  const active = await holdOrganisation(tx, id)
  if (active === undefined) throw new ServiceError('not_found', `${name} was erased meanwhile.`)
  if (active.length > 0)
    throw new ServiceError(
      'invalid_transition',
      `Migrations of ${name} are queued or in progress: ${active.join(', ')}. Cancel them with "storeferry admin remove --organisation ${JSON.stringify(name)}" and let the service end them, then run this again.`,
    )
  const left = await listSideEffects(tx, id)
  if (left.length === 0 || leaveSwitchedOff) return
  const what = left.map(({ kind, subjects }) => `${words[kind]} at ${[...new Set(subjects)].join(', ')}`)
  throw new ServiceError(
    'invalid_transition',
    `Migrations of ${name} have left something to put back: ${what.join('; ')}. Let the service run until it is done, or look at the issues of the last migration; with --leave-switched-off it stays as it is.`,
  )
}

const words = {
  'deferred-write': 'items that are waiting to be switched on',
  mail: 'mails about orders that are off',
  stock: 'stock that copied orders took',
} as const
