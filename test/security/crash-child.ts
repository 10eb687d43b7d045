import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { forkChild } from '../../src/engine/process/spawn-run.ts'
import { until } from '../harness/until.ts'

/** A host that starts the process of a run and crashes it, by `signal` or by `memory`, and prints the limits it had. */
const [way] = process.argv.slice(2)
const child = forkChild(128)
const exited = once(child, 'exit')
const file = (name: string) => readFile(`/proc/${child.pid}/${name}`, 'utf8')
await until('the shell has become Node', async () => (await file('cmdline')).startsWith(process.execPath))
const said = { limits: await file('limits'), filter: (await file('coredump_filter')).trim() }
if (way === 'signal') child.kill('SIGABRT')
// More than its heap: V8 calls abort() with the token in memory.
else child.send({ kind: 'start', token: 'planted-token', more: 'x'.repeat(96 * 1024 * 1024) }, () => undefined)
const [, signal] = await exited
process.stdout.write(JSON.stringify({ ...said, signal }))
