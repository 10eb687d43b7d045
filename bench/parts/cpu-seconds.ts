import { readdir, readFile } from 'node:fs/promises'

/** The value of `getconf CLK_TCK`, which Linux has used for decades. */
const ticksPerSecond = 100

interface Ticks {
  pid: number
  parent: number
  /** Its own and those of its ended children. */
  seconds: number
}

/**
 * CPU seconds of this process and all its descendants, including those that have ended, without `except`. Only on
 * systems with `/proc`.
 */
export async function cpuSeconds(except: number): Promise<number> {
  const all = (await processes()).filter(({ pid }) => pid !== except)
  const below = new Set([process.pid])
  // A child starts after its parent but may have a lower id, because ids are reused.
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
  // The process may have ended since it was listed.
  if (stat === null) return null
  // The name is in brackets and may contain any character. The third field follows it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const numberAt = (field: number) => Number(fields[field - 3])
  return {
    pid: Number(pid),
    parent: numberAt(4),
    seconds: [14, 15, 16, 17].reduce((sum, field) => sum + numberAt(field), 0) / ticksPerSecond,
  }
}
