import { z } from 'zod'
import type { Administrator } from '../../accounts/caller.ts'
import { capacityOutput, type WaitingReason } from '../../contract/accounts/administration.ts'
import { occupation, type WaitingRun, waitingRuns } from '../../db/runs/admission.ts'
import { countLiveRuns, type RunsOfTier } from '../../db/runs/capacity.ts'
import { readHosts } from '../../db/runs/worker-hosts.ts'
import { explainWaiting } from '../../engine/process/choose-runs.ts'
import { type Deps, defineOperation } from '../shared/operation.ts'

type Output = z.infer<typeof capacityOutput>

export const getCapacity = defineOperation<Record<string, never>, Output, Administrator>({
  name: 'get-capacity',
  summary: 'The hosts that run migrations, their free capacity, and the waiting migrations with what each waits for.',
  input: z.strictObject({}),
  output: capacityOutput,
  async run(_, __, { database, settings }) {
    const { hosts, unplaced } = await readHosts(database)
    const live = await countLiveRuns(database)
    return {
      hosts: hosts.map(({ name, seenAt, maxRuns, memoryMiB, runs }) => ({
        name,
        lastSeenAt: seenAt.toISOString(),
        maxRuns,
        memoryMiB,
        runs: runs.length,
        runMemoryMiB: runs.reduce((sum, { memMiB }) => sum + memMiB, 0),
      })),
      queued: withStatus(live, 'queued'),
      inProgress: withStatus(live, 'in_progress'),
      paused: withStatus(live, 'paused'),
      unplaced: unplaced.length,
      waiting: await readWaiting(database, settings),
    }
  },
})

/** A longer list would be unreadable; `queued` counts all of them. */
const mostShown = 100

/** What admission would decide now. Admits nothing. */
function readWaiting(database: Deps['database'], { admission }: Deps['settings']): Promise<Output['waiting']> {
  return database.transaction().execute(async (transaction) => {
    const runs = await waitingRuns(transaction)
    const priced = runs.filter((run) => run.priced)
    const reasons = explainWaiting(priced, await occupation(transaction), admission)
    return runs.slice(0, mostShown).map((run) => describeWaiting(run, reasons.get(run.id) ?? 'pricing'))
  })
}

function describeWaiting(run: WaitingRun, why: WaitingReason): Output['waiting'][number] {
  const { id, label, mode, organisationId, organisationName, tier, since } = run
  return {
    requestId: id,
    label,
    mode,
    organisation: { id: organisationId, name: organisationName },
    source: { hash: run.sourceHash, label: run.sourceLabel },
    destination: { hash: run.destinationHash, label: run.destinationLabel },
    tier,
    since: since.toISOString(),
    why,
  }
}

function withStatus(live: RunsOfTier[], requested: RunsOfTier['status']): Output['queued'] {
  return live.filter(({ status }) => status === requested).map(({ tier, runs }) => ({ tier, runs }))
}
