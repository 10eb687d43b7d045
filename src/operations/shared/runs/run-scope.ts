import type { ThemeWish } from '../../../contract/create-migration.ts'
import { limits } from '../../../contract/primitives/limits.ts'
import { ServiceError } from '../../../contract/service-error.ts'
import { findStore, holdConnected, type StoreRow } from '../../../db/accounts/stores.ts'
import type { Database, InTransaction } from '../../../db/core/database.ts'
import { countQueuedRuns } from '../../../db/reports/run-history.ts'
import type { Component } from '../../../entities/core/component.ts'
import { entities } from '../../../entities/registry.ts'
import type { RunComponent, RunPhase } from '../../../model/run-facts.ts'

/**
 * The phases a run goes through, in the registry's order; when none is named all of them, but for those that have to be asked for.
 * What is asked for comes besides what is named.
 *
 * @throws ServiceError `validation_failed` by path for a name that is unknown or comes twice.
 */
export function phasesInScope(named: readonly string[] | undefined, themes?: ThemeWish): RunPhase[] {
  const keys = entities.map(({ key }) => key)
  const errors = Object.fromEntries(
    (named ?? []).flatMap((key, at) => {
      if (!keys.includes(key)) return [[`entities.${at}`, [`Unknown entity; this version has ${keys.join(', ')}.`]]]
      return named?.indexOf(key) === at ? [] : [[`entities.${at}`, ['Named twice.']]]
    }),
  )
  refuseIfAny(errors)
  return entities
    .filter(({ key, optIn }) =>
      themes && optIn?.includes(themes) ? true : (named?.includes(key) ?? optIn === undefined),
    )
    .map(phaseOf)
}

/**
 * Components whose living values may be written over.
 *
 * @throws ServiceError `validation_failed` by path for a name that is unknown or has no living values.
 */
export function refuseUnknownDestinationOwned(named: readonly string[]): void {
  const destinationOwned = entities
    .flatMap(({ components }) => components)
    .filter((component) => component.destinationOwned.length > 0)
  const keys = destinationOwned.map(({ key }) => key)
  const errors = Object.fromEntries(
    named.flatMap((key, at) =>
      keys.includes(key)
        ? []
        : [[`overwriteLiving.${at}`, [`No component of this name has living values; use ${keys.join(', ')}.`]]],
    ),
  )
  refuseIfAny(errors)
}

function phaseOf({ key, label, components }: (typeof entities)[number]): RunPhase {
  return { key, label, components: components.map(componentOfRun) }
}

function componentOfRun({ key, label, widgets, siteWide: global }: Component): RunComponent {
  return { key, label, ...(widgets && { widgets: true as const }), ...(global && { global }) }
}

/** Both stores of a pair, of this organisation and no other (S2). */
export async function findPair(
  database: Database,
  organisationId: string,
  pair: { source: string; destination: string },
): Promise<{ source: StoreRow; destination: StoreRow }> {
  const source = await findStore(database, organisationId, pair.source)
  const destination = await findStore(database, organisationId, pair.destination)
  if (source && destination) return { source, destination }
  const errors: Record<string, string[]> = {}
  if (!source) errors.source = [unknownStore(pair.source)]
  if (!destination) errors.destination = [unknownStore(pair.destination)]
  throw refusal(errors)
}

function unknownStore(hash: string): string {
  return `No store ${hash} is connected to your organisation; connect it, or take a hash from GET /v2/stores.`
}

/**
 * Belongs in the transaction that lets a run begin: a store that is being disconnected is disconnected first, or not at all.
 *
 * @throws ServiceError `invalid_transition` naming the stores to connect again.
 */
export async function holdStores(
  tx: InTransaction,
  run: { organisationId: string; sourceStoreId: string; destinationStoreId: string },
): Promise<void> {
  const gone = await holdConnected(tx, run.organisationId, [run.sourceStoreId, run.destinationStoreId])
  if (gone.length === 0) return
  throw new ServiceError(
    'invalid_transition',
    `Store ${gone.join(' and ')} is disconnected: connect it again with its API token first.`,
  )
}

/** One organisation cannot fill the queue (S25). */
export async function refuseFullQueue(tx: InTransaction, organisationId: string): Promise<void> {
  const most = limits.queuedRunsPerOrganisation
  if ((await countQueuedRuns(tx, organisationId)) < most) return
  throw new ServiceError(
    'rate_limited',
    `Your organisation has ${most} migrations waiting already; cancel one, or wait until one has started.`,
    { retryAfterSeconds: 60 },
  )
}

export function refuseIfAny(errors: Record<string, string[]>): void {
  if (Object.keys(errors).length > 0) throw refusal(errors)
}

function refusal(errors: Record<string, string[]>): ServiceError {
  return new ServiceError('validation_failed', 'The request is not valid; see "errors".', { errors })
}
