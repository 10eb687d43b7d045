import { ReferenceBook } from '../core/references.ts'
import { DestinationClient } from './destination-client.ts'
import type { OpenRun } from './open-run.ts'
import type { PreparedRun } from './prepared-run.ts'

/** Everything the phases of one run share. Frozen; what changes while a run works is inside the objects named here. */
export interface RunContext extends OpenRun, PreparedRun {
  readonly references: ReferenceBook
  readonly client: DestinationClient
}

export function contextOf(open: OpenRun, prepared: PreparedRun): RunContext {
  const references = new ReferenceBook(open.mappings, { ...prepared, sourceHash: open.stores.source.hash })
  return Object.freeze({ ...open, ...prepared, references, client: new DestinationClient(prepared.accounts) })
}
