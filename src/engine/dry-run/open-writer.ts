import type { RunContext } from '../context/context.ts'
import { storeWriter } from '../send/store-writer.ts'
import type { Writes } from '../send/writes.ts'
import { DryRunWriter } from './dry-run-writer.ts'

/** The writer of this run; a dry run only simulates (F2). `park` runs a long wait without a slot. */
export function openWriter(context: RunContext, park: <T>(wait: () => Promise<T>) => Promise<T>): Writes {
  return context.run.mode === 'dry-run' ? new DryRunWriter(context) : storeWriter(context, park)
}
