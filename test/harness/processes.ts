import { readdir, readFile } from 'node:fs/promises'

/**
 * Processes that work on runs, by their parent: what a host forked. Source: proc(5), `stat` and `cmdline`.
 */
export async function runChildrenOf(hostPid: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const found = await Promise.all(pids.map(async (pid) => ((await isRunChild(pid, hostPid)) ? pid : undefined)))
  return found.filter((pid) => pid !== undefined)
}

async function isRunChild(pid: number, hostPid: number): Promise<boolean> {
  const stat = await readOrNothing(`/proc/${pid}/stat`)
  // After the name in parentheses, which may contain anything: state, then the parent. A zombie has ended.
  const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (Number(parent) !== hostPid || state === 'Z') return false
  return /engine\/child\/child\.[jt]s/.test(await readOrNothing(`/proc/${pid}/cmdline`))
}

export async function parentOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

export async function isAlive(pid: number): Promise<boolean> {
  const stat = await readOrNothing(`/proc/${pid}/stat`)
  return stat !== '' && stat.slice(stat.lastIndexOf(')') + 2)[0] !== 'Z'
}

/** A process may end between being listed and being read. */
async function readOrNothing(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '')
}
