import { readdir, readFile } from 'node:fs/promises'

/** Of `getconf CLK_TCK`, which Linux has had for decades. */
const ticksPerSecond = 100

interface Ticks {
  pid: number
  parent: number
  /** Its own and those of its children that have ended. */
  seconds: number
}

/** Processor seconds of this process and of all below it, also of those that have ended, but `except`. Only where there is `/proc`. */
export async function cpuSeconds(except: number): Promise<number> {
  const all = (await processes()).filter(({ pid }) => pid !== except)
  const below = new Set([process.pid])
  // A child has begun after its parent, but ids begin again.
  for (let size = 0; size < below.size; ) {
    size = below.size
    for (const { pid, parent } of all) if (below.has(parent)) below.add(pid)
  }
  return all.filter(({ pid }) => below.has(pid)).reduce((sum, { seconds }) => sum + seconds, 0)
}

async function processes(): Promise<Ticks[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  return (await Promise.all(pids.map(ticksOf))).filter((one) => one !== null)
}

async function ticksOf(pid: string): Promise<Ticks | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  // Between an entry of the list and its file a process may have ended.
  if (stat === null) return null
  // The name is in brackets and may have any character. What follows it begins with the third field.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const numberAt = (field: number) => Number(fields[field - 3])
  return {
    pid: Number(pid),
    parent: numberAt(4),
    seconds: [14, 15, 16, 17].reduce((sum, field) => sum + numberAt(field), 0) / ticksPerSecond,
  }
}
