import type { RunContext } from '../context/context.ts'
import { Writer, type Writes } from '../write/writer.ts'
import { PlanningWriter } from './dry-run-writer.ts'

/** What writes for this run: a dry run only plans (F2). `setAside` runs a long wait without holding up the items behind it. */
export function openWriter(context: RunContext, setAside: <T>(wait: () => Promise<T>) => Promise<T>): Writes {
  return context.run.mode === 'dry-run' ? new PlanningWriter(context) : new Writer(context, setAside)
}
