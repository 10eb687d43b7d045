import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { SandboxStoreAddress } from '../../sandbox/admin/store-list.ts'
import type { Plan } from '../../sandbox/server/quota.ts'
import type { SandboxOptions } from '../../sandbox/start.ts'

const sandboxFile = fileURLToPath(
  new URL(`./sandbox-process${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url),
)

export interface DemoSandbox {
  url: string
  source: SandboxStoreAddress
  destination: SandboxStoreAddress
  stop(): Promise<void>
}

/** Two stores, one with a catalogue and one empty, in a separate process. */
export async function startDemoSandbox(options: {
  size: 'small' | 'tiny'
  plan: Plan
  latencyMs: number
}): Promise<DemoSandbox> {
  const { latencyMs: ms, plan, size } = options
  const stores: SandboxOptions['stores'] = [
    { name: 'source', seed: size },
    { name: 'destination', seed: 'empty' },
  ]
  const child = fork(sandboxFile, { env: {} })
  child.send({ stores, plan, latencyMs: { read: ms, write: ms, heavy: ms } } satisfies SandboxOptions)
  const { url, stores: started } = await firstMessage(child)
  const { source, destination } = started
  if (!source || !destination) throw new Error('The sandbox did not start both stores.')
  return { url, source, destination, stop: () => stop(child) }
}

interface Started {
  url: string
  stores: Record<string, SandboxStoreAddress>
}

async function firstMessage(child: ChildProcess): Promise<Started> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The sandbox did not start (exit code ${code}); see its output above.`)
  })
  // Once it has started, its exit is not a failure.
  ended.catch(() => undefined)
  const [message] = await Promise.race([once(child, 'message'), ended])
  return message
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.disconnect()
  await ended
}
