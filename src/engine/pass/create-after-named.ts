import type { IssueToWrite } from '../../db/ledger/issues.ts'
import { MissingReference } from '../../entities/core/references.ts'
import { componentOf } from '../../entities/registry.ts'
import { namedItems } from '../../model/pending.ts'
import { everyDraft } from '../core/pairing.ts'
import type { Resolved } from '../core/references.ts'
import { resolveLate } from '../plan/left-roles.ts'
import { createItem } from '../write/create-item.ts'
import type { ItemInput } from '../write/item-state.ts'
import type { OpenPass } from './open-pass.ts'

/**
 * Creates an item once those of its pass that it refers to, and that are being created at this moment, are there. It
 * would be read and written a second time otherwise (C5). It waits for none that waits itself: a chain of items would
 * be created one after the other.
 */
export async function createAfterNamed(open: OpenPass, input: ItemInput, issues: IssueToWrite[]): Promise<void> {
  const { deps, underWay } = open
  const { id } = input.resolved.draft
  const earlier = earlierNamed(open, input)
  const awaited = earlier.flatMap((one) => underWay.get(one) ?? [])
  const end = Promise.withResolvers<void>()
  if (awaited.length === 0) underWay.set(id, end.promise)
  try {
    if (awaited.length > 0) await deps.park(() => Promise.all(awaited))
    await createItem(deps, earlier.length > 0 ? await resolvedNow(open, input) : input, issues)
  } finally {
    if (underWay.get(id) === end.promise) underWay.delete(id)
    end.resolve()
  }
}

/** Items of its own pass that it was planned without, and that came before it in the list. */
function earlierNamed({ context, pass }: OpenPass, { resolved }: ItemInput): string[] {
  const { create } = componentOf(pass.root)
  if (context.run.mode !== 'full' || pass.parentOf || create?.batch !== 1) return []
  return namedItems(resolved.missing, 'reference')
    .filter(({ component, sourceId }) => component === pass.root && Number(sourceId) < Number(resolved.draft.id))
    .map(({ sourceId }) => sourceId)
}

/** The item with what exists by now; as it was planned if it would get other children. */
async function resolvedNow({ context, pass }: OpenPass, input: ItemInput): Promise<ItemInput> {
  const [resolved] = await resolveLate(context, pass, [input.item])
  if (!resolved || resolved instanceof MissingReference) return input
  return partsOf(resolved) === partsOf(input.resolved) ? { ...input, resolved } : input
}

function partsOf({ draft }: Resolved): string {
  return JSON.stringify([...everyDraft(draft)].map(({ component, id }) => [component, id]))
}
