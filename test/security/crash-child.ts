import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { forkChild } from '../../src/engine/process/spawn-run.ts'
import { until } from '../harness/until.ts'

/** A host that starts the process of a run and crashes it, and prints the limits it had. */
const child = forkChild(256)
const exited = once(child, 'exit')
const file = (name: string) => readFile(`/proc/${child.pid}/${name}`, 'utf8')
await until('the shell has become Node', async () => (await file('cmdline')).startsWith(process.execPath))
const said = { limits: await file('limits'), filter: (await file('coredump_filter')).trim() }
child.kill('SIGABRT')
const [, signal] = await exited
process.stdout.write(JSON.stringify({ ...said, signal }))
