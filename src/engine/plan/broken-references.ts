import {
  CredentialsError,
  PlatformError,
  StoreUnreachableError,
  UnreadableAnswerError,
} from '../../bigcommerce/errors.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { MissingReference } from '../../entities/core/references.ts'
import { entities } from '../../entities/registry.ts'
import { formatPending, isReferenceTo, namedItems } from '../../model/pending.ts'
import type { RunContext } from '../context/context.ts'
import type { Resolved } from '../core/references.ts'
import { existingInSource, idsPerLookUp } from '../read/by-ids.ts'

interface Named {
  component: string
  sourceId: string
}

/** Items known to exist in the source or not. More: memory. Fewer: the same items are asked for again. */
const mostRemembered = 20_000

/** References of the items to what the source itself does not have, in the form of pending work: no run can complete them. */
export function brokenOnPage(
  context: RunContext,
  pass: Pass,
  resolved: (Resolved | MissingReference)[],
): Promise<ReadonlySet<string>> {
  const named = resolved.flatMap((one) => {
    if (one instanceof MissingReference) return one.erased ? [] : one
    // Those of its own kind may only be missing until the end of the pass.
    return namedItems(
      one.missing.filter((text) => !isReferenceTo(text, pass.root)),
      'reference',
    )
  })
  return brokenAmong(context, named)
}

/** Those of the named items that the source does not have. What it cannot be asked for counts as there. */
export async function brokenAmong(context: RunContext, named: Named[]): Promise<ReadonlySet<string>> {
  const broken = new Set<string>()
  for (const [component, some] of Map.groupBy(named, (one) => one.component)) {
    const pass = passOf(component)
    if (!pass || idsPerLookUp(pass) === null) continue
    const exists = await existence(context, pass, [...new Set(some.map(({ sourceId }) => sourceId))])
    for (const [sourceId, there] of exists) if (!there) broken.add(referenceTo({ component, sourceId }))
  }
  return broken
}

export function referenceTo({ component, sourceId }: Named): string {
  return formatPending({ kind: 'reference', component, sourceId })
}

async function existence(context: RunContext, pass: Pass, ids: string[]): Promise<Map<string, boolean>> {
  const known = context.existsInSource
  const keyOf = (id: string) => `${pass.key}:${id}`
  // Before anything is looked up in it: what is forgotten is asked for again.
  if (known.size > mostRemembered) known.clear()
  const unknown = ids.filter((id) => !known.has(keyOf(id)))
  const existing = unknown.length > 0 ? await existingOrAll(context, pass, unknown) : new Set<string>()
  const answers = ids.map((id): [string, boolean] => [id, known.get(keyOf(id)) ?? existing.has(id)])
  for (const [id, there] of answers) known.set(keyOf(id), there)
  return new Map(answers)
}

/** A source that refuses the question, or answers with something else, proves nothing. */
async function existingOrAll(context: RunContext, pass: Pass, ids: string[]): Promise<Set<string>> {
  try {
    return await existingInSource(context, pass, ids)
  } catch (error) {
    if (isNoAnswer(error)) return new Set(ids)
    throw error
  }
}

function isNoAnswer(error: unknown): boolean {
  if (error instanceof CredentialsError) return false
  // Without any response the store may be away, which the run waits for.
  if (error instanceof StoreUnreachableError) return error.httpStatus !== null
  return error instanceof PlatformError || error instanceof UnreadableAnswerError
}

function passOf(component: string): Pass | undefined {
  return entities.flatMap(({ passes }) => passes).find(({ root }) => root === component)
}
