import { isLive } from '../../src/contract/status.ts'
import { type Asker, whyNotStart, whyNotStore } from '../allowed.ts'
import type { HistoryEntry } from '../data/queries.ts'
import { paths } from '../paths.ts'
import { isOfUse } from '../words.ts'

type Run = Pick<HistoryEntry, 'requestId' | 'status' | 'mode'>

export interface Step {
  title: string
  meaning: string
  isDone: boolean
  /** The badge of a step that is over without having been done; absent: "Done". */
  passed?: string | undefined
  /** Where to do it. */
  action: { words: string; to: string; search?: Record<string, string> }
  offBecause: string | undefined
  /** The migration that is doing it now. */
  underWay?: Run | undefined
}

interface Known {
  /** How many stores are connected. */
  stores: number
  /** The latest trial runs, copies and comparisons, in this order. */
  lists: readonly (readonly Run[])[]
}

/** The steps to a first compared copy; none once there is one. */
export function firstSteps({ stores, lists }: Known, asker: Asker): Step[] {
  const [trials, copies, comparisons] = lists.map((items) => items.find(isOfUse))
  const [trying, copying, comparing] = lists.map((items) => items.find(({ status }) => isLive(status)))
  if (copies && comparisons) return []
  const connect = whyNotStore('add-store', asker)
  const start = whyNotStart(asker) ?? (stores < 2 ? 'Connect two stores first.' : undefined)
  const isTried = [trials, copies, copying].some((one) => one !== undefined)
  const compare = copies ? `${paths.migrations}/${copies.requestId}` : paths.migrations
  return [
    {
      title: 'Connect the store you copy from',
      meaning: 'Storeferry only reads it.',
      isDone: stores > 0,
      action: { words: 'Connect a store', to: paths.connectStore, search: { purpose: 'from' } },
      offBecause: connect,
    },
    {
      title: 'Connect the store you copy to',
      meaning: 'It is changed only by a migration that you start.',
      isDone: stores > 1,
      action: { words: 'Connect a store', to: paths.connectStore, search: { purpose: 'to' } },
      offBecause: connect,
    },
    {
      title: 'Make a trial run',
      meaning: 'It says item by item what a copy would do, and changes nothing.',
      isDone: isTried,
      passed: trials ? undefined : trying ? 'Under way' : 'Skipped',
      action: { words: 'New migration', to: paths.newMigration },
      offBecause: start,
      underWay: trying,
    },
    {
      title: 'Copy',
      meaning: 'You can pause it at any time.',
      isDone: copies !== undefined,
      action: trials
        ? { words: 'Now copy for real', to: paths.newMigration, search: { from: trials.requestId } }
        : { words: 'New migration', to: paths.newMigration },
      offBecause: start,
      underWay: copying,
    },
    {
      title: 'Compare the two stores',
      meaning: 'It proves that the copy is right.',
      isDone: comparisons !== undefined,
      action: { words: 'Open the copy', to: compare },
      offBecause: copies ? undefined : 'Copy first.',
      underWay: comparing,
    },
  ]
}
