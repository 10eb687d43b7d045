import { listedItems } from '../../db/ledger/destination-items.ts'
import type { Role } from '../../entities/core/component.ts'
import { draft, type PlatformItem } from '../../entities/core/draft.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { componentOf } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'
import { readNow } from '../read/by-ids.ts'
import { keepListed, type ListedBody } from '../read/destination-lister.ts'

/**
 * Leaves out items that are never deleted. One that was listed as the group for new customers, for example, is read again:
 * the run may have made a copy that since.
 */
export async function withoutProtected<Item extends { id: string; listed: ListedBody }>(
  context: RunContext,
  pass: Pass,
  items: Item[],
): Promise<Item[]> {
  const roles = componentOf(pass.root).roles ?? []
  const hadRole = ({ listed: { spared, compare } }: Item) =>
    spared && roles.some(({ field }) => compare?.[field] === true)
  const ids = items.filter(hadRole).map(({ id }) => id)
  if (ids.length > 0) await keepListed(context, pass, await readRoles(context, pass, roles, ids), { compares: true })
  const now = await listedItems(context.database, context.run.id, pass.root, ids)
  return items
    .map((one) => ({ ...one, listed: (now.get(one.id) as ListedBody | undefined) ?? one.listed }))
    .filter(({ listed }) => !listed.spared)
}

/** In a dry run, without the roles that the real run gives to copies (F2). */
async function readRoles(
  context: RunContext,
  pass: Pass,
  roles: readonly Role[],
  ids: string[],
): Promise<PlatformItem[]> {
  const rows = await readNow(context, 'destination', pass, ids)
  if (context.run.mode !== 'dry-run') return rows
  const taken: PlatformItem = {}
  for (const role of roles) {
    const holders = await role.holders(context.source, draft(pass.root, '', {}), context.lease.stop)
    const copies = await context.references.mappings(holders.map(({ id }) => ({ component: pass.root, sourceId: id })))
    if (copies.size > 0) taken[role.field] = false
  }
  return rows.map((row) => ({ ...row, ...taken }))
}
