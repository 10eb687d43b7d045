import { z } from 'zod'
import type { Administrator } from '../../accounts/caller.ts'
import { capacityOutput } from '../../contract/administration.ts'
import { countLiveRuns, type RunsOfTier } from '../../db/runs/capacity.ts'
import { readHosts } from '../../db/runs/worker-hosts.ts'
import { defineOperation } from '../shared/operation.ts'

type Output = z.infer<typeof capacityOutput>

export const getCapacity = defineOperation<Record<string, never>, Output, Administrator>({
  name: 'get-capacity',
  summary: 'The hosts that run migrations, their free capacity, and the waiting migrations.',
  input: z.strictObject({}),
  output: capacityOutput,
  async run(_, __, { database }) {
    const { hosts, unplaced } = await readHosts(database)
    const live = await countLiveRuns(database)
    return {
      hosts: hosts.map(({ name, maxRuns, memoryMiB, runs }) => ({
        name,
        maxRuns,
        memoryMiB,
        runs: runs.length,
        runMemoryMiB: runs.reduce((sum, { memMiB }) => sum + memMiB, 0),
      })),
      queued: withStatus(live, 'queued'),
      inProgress: withStatus(live, 'in_progress'),
      paused: withStatus(live, 'paused'),
      unplaced: unplaced.length,
    }
  },
})

function withStatus(live: RunsOfTier[], requested: RunsOfTier['status']): Output['queued'] {
  return live.filter(({ status }) => status === requested).map(({ tier, runs }) => ({ tier, runs }))
}
