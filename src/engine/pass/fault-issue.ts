import type { IssueToWrite } from '../../db/ledger/issues.ts'
import { scopeOfCall } from '../../entities/token-scopes.ts'
import type { RunContext } from '../context/context.ts'
import { describeRefusal, type ListRefusal, refusedCall } from '../core/refusals.ts'

const forbidden = 403

/** What is reported of an item that needs a call which a store refused. @param called the item's name */
export function refusedNeed(
  { stores }: Pick<RunContext, 'stores'>,
  called: string,
  refusal: ListRefusal & { path: string },
): Pick<IssueToWrite, 'code' | 'message' | 'platform'> {
  const scope = refusal.httpStatus === forbidden ? scopeOfCall(refusal) : undefined
  const needed = scope === undefined ? '' : ` The call needs the scope ${scope}.`
  const message = `${called} could not be copied: ${describeRefusal(stores, refusal)}.${needed}`
  return { code: 'call_refused', message, platform: refusedCall(refusal) }
}
