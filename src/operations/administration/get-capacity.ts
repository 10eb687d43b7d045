import { z } from 'zod'
import type { Administrator } from '../../accounts/caller.ts'
import { capacityOutput } from '../../contract/accounts/administration.ts'
import { countLiveRuns, type RunsOfTier } from '../../db/runs/capacity.ts'
import { readHosts } from '../../db/runs/worker-hosts.ts'
import { defineOperation } from '../shared/operation.ts'
import { readQueue } from '../shared/runs/queue.ts'

type Output = z.infer<typeof capacityOutput>

export const getCapacity = defineOperation<Record<string, never>, Output, Administrator>({
  name: 'get-capacity',
  summary: 'The hosts that run migrations, their free capacity, and the waiting migrations with what each waits for.',
  input: z.strictObject({}),
  output: capacityOutput,
  async run(_, __, deps) {
    const { database } = deps
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
      waiting: (await readQueue(deps)).slice(0, mostShown).map(describeWaiting),
    }
  },
})

/** A longer list would be unreadable; `queued` counts all of them. */
const mostShown = 100

function describeWaiting(run: Awaited<ReturnType<typeof readQueue>>[number]): Output['waiting'][number] {
  const { id, label, mode, organisationId, organisationName, tier, since, why } = run
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
