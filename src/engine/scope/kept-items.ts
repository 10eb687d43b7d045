import type { PlatformItem } from '../../entities/core/draft.ts'
import { isMadeByShoppers } from '../../entities/core/made-by-shoppers.ts'
import { componentOf } from '../../entities/registry.ts'
import type { OpenRun } from '../context/open-run.ts'

/** What shoppers made at the destination is kept under `replace`, unless the request names its component (G3). */
export function isKept(
  { run }: { run: Pick<OpenRun['run'], 'pruneLive'> },
  component: string,
  item: PlatformItem,
): boolean {
  return isMadeByShoppers(componentOf(component), item) && !run.pruneLive.includes(component)
}
