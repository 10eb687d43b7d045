import type { ThemeWish } from '../../../contract/create-migration.ts'
import type { ConflictStrategy } from '../../../contract/modes.ts'
import { limits } from '../../../contract/primitives/limits.ts'
import { ServiceError } from '../../../contract/service-error.ts'
import { findStore, holdConnected, type StoreRow } from '../../../db/accounts/stores.ts'
import type { Database, InTransaction } from '../../../db/core/database.ts'
import { countQueuedRuns } from '../../../db/reports/run-history.ts'
import type { Component } from '../../../entities/core/component.ts'
import { entities } from '../../../entities/registry.ts'
import type { RunComponent, RunPhase } from '../../../model/run-facts.ts'

/**
 * The phases of a run, in the registry's order: those named, or all except opt-in ones. Requested opt-in phases are
 * always added.
 *
 * @throws ServiceError `validation_failed` by path for an unknown or repeated name
 */
export function phasesInScope(named: readonly string[] | undefined, themes?: ThemeWish): RunPhase[] {
  const keys = entities.map(({ key }) => key)
  const errors = Object.fromEntries(
    (named ?? []).flatMap((key, at) => {
      if (!keys.includes(key)) return [[`entities.${at}`, [`Unknown entity; this version has ${keys.join(', ')}.`]]]
      return named?.indexOf(key) === at ? [] : [[`entities.${at}`, ['Given twice.']]]
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
 * Refuses names of components to which a setting cannot apply.
 *
 * @throws ServiceError `validation_failed` by path
 */
export function refuseUnknownComponents(named: {
  conflictStrategy?: ConflictStrategy | undefined
  overwriteLiving: readonly string[]
  pruneLive: readonly string[]
  recreateErased: readonly string[]
}): void {
  refuseUnknownDestinationOwned(named.overwriteLiving)
  refuseUnknownPruneLive(named.pruneLive, named.conflictStrategy)
  refuseUnknownErased(named.recreateErased)
}

/**
 * Refuses names other than those of components whose destination-owned values may be overwritten.
 *
 * @throws ServiceError `validation_failed` by path for an unknown name, or for a component without such values
 */
function refuseUnknownDestinationOwned(named: readonly string[]): void {
  const destinationOwned = entities
    .flatMap(({ components }) => components)
    .filter((component) => component.destinationOwned.length > 0)
  const keys = destinationOwned.map(({ key }) => key)
  const errors = Object.fromEntries(
    named.flatMap((key, at) =>
      keys.includes(key)
        ? []
        : [[`overwriteLiving.${at}`, [`Not a component with destination-owned values; use ${keys.join(', ')}.`]]],
    ),
  )
  refuseIfAny(errors)
}

/**
 * Refuses names other than those of components with shoppers' data that `replace` may delete.
 *
 * @throws ServiceError `validation_failed` by path for an unknown name, for a component that has no such data or is
 * never deleted, or for another strategy
 */
function refuseUnknownPruneLive(named: readonly string[], strategy: ConflictStrategy | undefined): void {
  if (named.length > 0 && strategy !== 'replace')
    refuseIfAny({ pruneLive: ['Only `replace` deletes; choose it as conflictStrategy, or leave pruneLive out.'] })
  const keys = entities
    .filter(({ prune }) => prune === 'allowed')
    .flatMap(({ components }) => components)
    .filter(({ madeByShoppers, remove }) => madeByShoppers !== undefined && remove)
    .map(({ key }) => key)
  const message = `Not a component of shoppers’ data that can be deleted; use ${keys.join(', ')}.`
  refuseIfAny(
    Object.fromEntries(named.flatMap((key, at) => (keys.includes(key) ? [] : [[`pruneLive.${at}`, [message]]]))),
  )
}

/**
 * Refuses names other than those of components whose deleted copies stay deleted unless requested.
 *
 * @throws ServiceError `validation_failed` by path for any other name
 */
function refuseUnknownErased(named: readonly string[]): void {
  const components = entities.flatMap((entity) => entity.components)
  const keys = components.filter(({ staysErased }) => staysErased).map(({ key }) => key)
  const unknown = named.flatMap((key, at) => (keys.includes(key) ? [] : [at]))
  refuseIfAny(Object.fromEntries(unknown.map((at) => [`recreateErased.${at}`, [`Use ${keys.join(', ')}.`]])))
}

function phaseOf({ key, label, components }: (typeof entities)[number]): RunPhase {
  return { key, label, components: components.map(componentOfRun) }
}

function componentOfRun({ key, label, widgets }: Component): RunComponent {
  if (!widgets) return { key, label }
  return { key, label, widgets: true, ...(widgets.siteWide && { global: true as const }) }
}

/** Both stores of a pair. They must belong to this organisation (S2). */
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
  return `No store ${hash} is connected to your organisation; connect it, or use a hash from GET /v2/stores.`
}

/**
 * Call in the transaction that starts a run, so that no store is disconnected at the same time.
 *
 * @throws ServiceError `invalid_transition`, with the stores to connect again
 */
export async function holdStores(
  tx: InTransaction,
  run: { organisationId: string; sourceStoreId: string; destinationStoreId: string },
): Promise<void> {
  refuseDisconnected(await holdConnected(tx, run.organisationId, [run.sourceStoreId, run.destinationStoreId]))
}

/** @throws ServiceError `invalid_transition`, with the stores to connect again */
export function refuseDisconnected(hashes: string[]): void {
  if (hashes.length === 0) return
  throw new ServiceError(
    'invalid_transition',
    `Store ${hashes.join(' and ')} is disconnected: connect it again with its API token first.`,
  )
}

/** Keeps one organisation from filling the queue (S25). */
export async function refuseFullQueue(tx: InTransaction, organisationId: string): Promise<void> {
  const most = limits.queuedRunsPerOrganisation
  if ((await countQueuedRuns(tx, organisationId)) < most) return
  throw new ServiceError(
    'rate_limited',
    `Your organisation already has ${most} queued migrations; cancel one, or wait until one starts.`,
    { retryAfterSeconds: 60 },
  )
}

export function refuseIfAny(errors: Record<string, string[]>): void {
  if (Object.keys(errors).length > 0) throw refusal(errors)
}

function refusal(errors: Record<string, string[]>): ServiceError {
  return new ServiceError('validation_failed', 'The request is not valid; see "errors".', { errors })
}
