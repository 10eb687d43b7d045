import { lookUpKeys } from '../../db/ledger/destination-items.ts'
import { claimsOf } from '../../db/ledger/mappings.ts'
import { holdListedAddresses } from '../../db/ledger/simulated-mappings.ts'
import type { Draft } from '../../entities/core/draft.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { componentOf, entities } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'

const roots = new Set(entities.flatMap((entity) => entity.passes.map((pass) => pass.root)))

/** Keys that only one item of a store can have, such as names and SKUs, in lower case (B6). */
export function keysTaken(context: RunContext, draft: Draft, rootId: string): string[] {
  const { component } = draft
  const { uniqueNamesOf, recovery, webAddress } = componentOf(component)
  if (uniqueNamesOf) return [`${uniqueNamesOf}/${rootId}/name:${draft.name?.toLowerCase()}`]
  if (!roots.has(component) || recovery !== 'key') return []
  const own = context.protection.keys(draft).map((key) => `${component}/${key}`)
  const address = webAddress === 'refusedIfTaken' ? addressOf(draft) : undefined
  return [...new Set([...own, ...skusBelow(draft), ...(address ? [address] : [])])]
}

/** A SKU belongs to one product or one variant. */
function skusBelow({ component, children }: Draft): string[] {
  return children.flatMap(({ sku }) => (sku ? [`${component}/sku:${sku.toLowerCase()}`] : []))
}

/** The key of an address that the platform leaves out, rather than refuse the item, if it is already in use. */
export function addressKey(draft: Draft): string | undefined {
  return componentOf(draft.component).webAddress === 'omittedIfTaken' ? addressOf(draft) : undefined
}

function addressOf({ path }: Draft): string | undefined {
  return path ? `url:${path.toLowerCase().replace(/\/+$/, '')}` : undefined
}

/** Takes the addresses that exist at the destination, so that no new item of a dry run can have them. */
export async function holdAddresses({ run, database }: RunContext, pass: Pass): Promise<void> {
  if (run.mode === 'dry-run' && componentOf(pass.root).webAddress)
    await holdListedAddresses(database, run.id, pass.root)
}

/** An item with a key, as `takeKeys` has it. */
interface Holder {
  key: string
  holder: string
}

/**
 * What only the destination has with the name that a copy would get. It stays, because the source has that name (D4), whereas
 * another copy may get another name in the same run.
 */
export async function heldByOther(
  { database, pair, protection, references, run }: RunContext,
  draft: Draft,
  copyId: string | undefined,
  fields: string[],
): Promise<Holder | undefined> {
  const { component } = draft
  const { uniqueFields = [] } = componentOf(component)
  if (!fields.some((field) => uniqueFields.includes(field))) return undefined
  const hits = await lookUpKeys(database, run.id, component, protection.keys(draft))
  const held = [...hits].flatMap(([key, ids]) => ids.filter((id) => id !== copyId).map((id) => ({ key, id })))
  const ids = held.map(({ id }) => id)
  const claims = await claimsOf(database, pair, references.scope(component), component, ids)
  const other = held.find(({ id }) => !claims.has(id))
  return other && { key: other.key, holder: `destination:${component}/${other.id}` }
}
