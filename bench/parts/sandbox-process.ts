import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Sandbox, SandboxOptions } from '../../sandbox/start.ts'

const MAIN = fileURLToPath(new URL('../../sandbox/main.ts', import.meta.url))

export type RunningSandbox = Pick<Sandbox, 'url' | 'port' | 'stores'> & { stop(): Promise<void> }

/** The sandbox in a process of its own, so that the client's work is not measured with it. */
export async function sandboxProcess(options: SandboxOptions): Promise<RunningSandbox> {
  const child = spawn(process.execPath, [MAIN, JSON.stringify(options)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const ready = once(createInterface({ input: child.stdout }), 'line')
  const first = await Promise.race([ready, ended.then(() => undefined)])
  if (!first) throw new Error('The sandbox ended before it was ready')
  return {
    ...JSON.parse(String(first[0])),
    stop: async () => {
      child.kill()
      await ended
    },
  }
}
