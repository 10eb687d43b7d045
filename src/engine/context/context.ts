import { ReferenceBook } from '../core/references.ts'
import { DestinationClient } from './destination-client.ts'
import type { OpenRun } from './open-run.ts'
import type { PreparedRun } from './prepared-run.ts'

/** Everything the phases of one run share. Frozen: what changes during the run is inside these objects. */
export interface RunContext extends OpenRun, PreparedRun {
  readonly references: ReferenceBook
  readonly client: DestinationClient
  /** Whether the source has an item, by pass and id. Items that were not looked up are not in it. */
  readonly existsInSource: Map<string, boolean>
  /** Adopted items, as `component:id`, whose children were looked up in both stores. */
  readonly learnedOwners: Set<string>
}

export function contextOf(open: OpenRun, prepared: PreparedRun): RunContext {
  const references = new ReferenceBook(open.mappings, { ...prepared, sourceHash: open.stores.source.hash })
  const client = new DestinationClient(prepared.accounts)
  return Object.freeze({
    ...open,
    ...prepared,
    references,
    client,
    existsInSource: new Map(),
    learnedOwners: new Set<string>(),
  })
}
