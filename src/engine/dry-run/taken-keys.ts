import { holdListedAddresses } from '../../db/ledger/simulated-mappings.ts'
import type { Draft } from '../../entities/core/draft.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { componentOf, entities } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'

const roots = new Set(entities.flatMap((entity) => entity.passes.map((pass) => pass.root)))

/** Keys that only one item of a store can have, such as names and SKUs, without case (B6). */
export function keysTaken(context: RunContext, draft: Draft, rootId: string): string[] {
  const { component } = draft
  if (choices.includes(component)) return [`choice of products/${rootId}/name:${draft.name?.toLowerCase()}`]
  if (!roots.has(component) || componentOf(component).recovery !== 'key') return []
  const own = context.protection.keys(draft).map((key) => `${component}/${key}`)
  const address = component === 'products' ? addressOf(draft) : undefined
  return [...new Set([...own, ...skusBelow(draft), ...(address ? [address] : [])])]
}

/** Options and modifiers of a product share their names. */
const choices: readonly string[] = ['product-options', 'product-modifiers']

/** Products and variants share their SKUs. */
function skusBelow({ component, children }: Draft): string[] {
  const variants = children.filter((child) => child.component === 'product-variants')
  return variants.flatMap(({ sku }) => (sku ? [`${component}/sku:${sku.toLowerCase()}`] : []))
}

/** The key of an address without which an item is still saved. */
export function addressKey(draft: Draft): string | undefined {
  return draft.component === 'products' || !addressed.includes(draft.component) ? undefined : addressOf(draft)
}

/** Components that share the addresses of a shop. */
const addressed: readonly string[] = ['categories', 'brands', 'products']

function addressOf({ path }: Draft): string | undefined {
  return path ? `url:${path.toLowerCase().replace(/\/+$/, '')}` : undefined
}

/** In a dry run no new item can have an address that exists at the destination. */
export async function holdAddresses({ run, database }: RunContext, pass: Pass): Promise<void> {
  if (run.mode === 'dry-run' && addressed.includes(pass.root)) await holdListedAddresses(database, run.id, pass.root)
}
