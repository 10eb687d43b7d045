import { readdir, readFile } from 'node:fs/promises'

/** Processes that work on runs, by their parent: what a host forked. */
export function runChildrenOf(hostPid: number): Promise<number[]> {
  return childrenOf(hostPid, /engine\/child\/child\.[jt]s/)
}

/** Processes by their parent and what is in their command line. Source: proc(5), `stat` and `cmdline`. */
export async function childrenOf(parentPid: number, commandLine: RegExp): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const isOne = (pid: number) => isChild(pid, parentPid, commandLine)
  const found = await Promise.all(pids.map(async (pid) => ((await isOne(pid)) ? pid : undefined)))
  return found.filter((pid) => pid !== undefined)
}

async function isChild(pid: number, parentPid: number, commandLine: RegExp): Promise<boolean> {
  const stat = await readOrNothing(`/proc/${pid}/stat`)
  // After the name in parentheses, which may contain anything: state, then the parent. A zombie has ended.
  const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (Number(parent) !== parentPid || state === 'Z') return false
  return commandLine.test(await readOrNothing(`/proc/${pid}/cmdline`))
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
