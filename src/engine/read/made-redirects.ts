import { madeRedirectIds } from '../../db/addresses/changed-addresses.ts'
import { oldAddresses } from '../../entities/content/redirects.ts'
import type { Pass } from '../../entities/core/pass.ts'
import type { RunContext } from '../context/context.ts'

const none: ReadonlySet<string> = new Set()

/** Ids of redirects that runs made from old addresses: they are copies of nothing, and still ours. */
export async function redirectsMade({ database, pair }: RunContext, { root }: Pass): Promise<ReadonlySet<string>> {
  return root === oldAddresses.component.key ? madeRedirectIds(database, pair, root) : none
}
