import {
  CredentialsError,
  PlatformError,
  StoreUnreachableError,
  UnreadableAnswerError,
} from '../../bigcommerce/errors.ts'
import { listedInSource } from '../../db/ledger/prune.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { MissingReference } from '../../entities/core/references.ts'
import { entities, namedByOthers, passOf } from '../../entities/registry.ts'
import { formatPending, isReferenceTo, namedItems } from '../../model/pending.ts'
import type { RunContext } from '../context/context.ts'
import { namesIn, type Resolved } from '../core/references.ts'
import { existingInSource, idsPerLookUp } from '../read/by-ids.ts'
import { isPartialRun } from '../scope/partial-run.ts'

interface Named {
  component: string
  sourceId: string
}

/** How many items are remembered as existing in the source or not. More take memory; with fewer, lookups repeat. */
const mostRemembered = 20_000

/** References to items that the source itself does not have, as stored when pending: no run can complete them. */
export function brokenOnPage(
  context: RunContext,
  pass: Pass,
  resolved: (Resolved | MissingReference)[],
): Promise<ReadonlySet<string>> {
  const named = resolved.flatMap((one) => {
    if (one instanceof MissingReference) return one.erased ? [] : one
    // References to items of the same pass may only be missing until the pass ends.
    return namedItems(
      one.missing.filter((text) => !isReferenceTo(text, pass.root)),
      'reference',
    )
  })
  return brokenAmong(context, named)
}

/** References to those items that the source does not have. Items that cannot be looked up count as existing. */
export async function brokenAmong(context: RunContext, named: Named[]): Promise<ReadonlySet<string>> {
  const broken = new Set<string>()
  for (const [component, some] of Map.groupBy(named, (one) => one.component)) {
    const lookUp = lookUpOf(context, component)
    if (!lookUp) continue
    const ids = [...new Set(some.map(({ sourceId }) => sourceId))]
    const exists = await existence(context, component, ids, lookUp)
    for (const [sourceId, there] of exists) if (!there) broken.add(referenceTo({ component, sourceId }))
  }
  return broken
}

/**
 * References of an item to copies that `replace` deletes at the end, because the source has deleted their items. Only
 * where the item must not be written without them.
 */
export async function deletedLater(
  context: RunContext,
  pass: Pass,
  items: PlatformItem[],
): Promise<(item: PlatformItem) => string[]> {
  const { database, run } = context
  const deletes = run.conflictStrategy === 'replace' && run.heal.round === 0 && !isPartialRun(context)
  if (!deletes || !pass.mayWiden) return () => []
  const unlisted: Named[] = []
  for (const [component, some] of Map.groupBy(
    items.flatMap((item) => namesIn(pass, item)),
    (one) => one.component,
  )) {
    if (!isInScope(run, component)) continue
    const listed = await listedInSource(
      database,
      run.id,
      component,
      some.map(({ sourceId }) => sourceId),
    )
    unlisted.push(...some.filter(({ sourceId }) => !listed.has(sourceId)))
  }
  const broken = await brokenAmong(context, unlisted)
  return (item) =>
    namesIn(pass, item)
      .map(referenceTo)
      .filter((reference) => broken.has(reference))
}

function isInScope({ phases }: RunContext['run'], component: string): boolean {
  return entities.some(({ key, passes }) => phases.includes(key) && passes.some(({ root }) => root === component))
}

export function referenceTo({ component, sourceId }: Named): string {
  return formatPending({ kind: 'reference', component, sourceId })
}

/** Those of the ids that the source has. */
type LookUp = (ids: string[]) => Promise<Set<string>>

/** Undefined if items of the component cannot be looked up by their ids. */
function lookUpOf(context: RunContext, component: string): LookUp | undefined {
  const pass = passOf(component)
  if (pass && idsPerLookUp(pass) !== null) return (ids) => existingInSource(context, pass, ids)
  const part = namedByOthers.get(component)
  if (!part) return undefined
  return async (ids) => {
    const found = await Promise.all(ids.map((id) => part.find(context.source, id)))
    return new Set(ids.filter((_, at) => found[at] !== undefined))
  }
}

async function existence(
  { existsInSource: known }: RunContext,
  component: string,
  ids: string[],
  lookUp: LookUp,
): Promise<Map<string, boolean>> {
  const keyOf = (id: string) => `${component}:${id}`
  // Cleared before it is used, so that everything that is forgotten is looked up again.
  if (known.size > mostRemembered) known.clear()
  const unknown = ids.filter((id) => !known.has(keyOf(id)))
  const existing = unknown.length > 0 ? await existingOrAll(lookUp, unknown) : new Set<string>()
  const answers = ids.map((id): [string, boolean] => [id, known.get(keyOf(id)) ?? existing.has(id)])
  for (const [id, there] of answers) known.set(keyOf(id), there)
  return new Map(answers)
}

/** All ids if the source refuses the call or its response is unreadable: that does not prove anything missing. */
async function existingOrAll(lookUp: LookUp, ids: string[]): Promise<Set<string>> {
  try {
    return await lookUp(ids)
  } catch (error) {
    if (isNoAnswer(error)) return new Set(ids)
    throw error
  }
}

function isNoAnswer(error: unknown): boolean {
  if (error instanceof CredentialsError) return false
  // Without any response the whole store may be down, and the run waits for that.
  if (error instanceof StoreUnreachableError) return error.httpStatus !== null
  return error instanceof PlatformError || error instanceof UnreadableAnswerError
}
