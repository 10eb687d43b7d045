import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** A TypeScript file running in a process of its own. */
export interface StartedProcess<Said> {
  pid: number
  /** What its first line of output said, as JSON. */
  said: Said
  stop(): Promise<void>
}

/**
 * Starts a process that prints one line of JSON when it is ready, so that the client's work is not measured with it.
 *
 * @throws when it ends before.
 */
export async function startProcess<Said>(file: string, ...args: string[]): Promise<StartedProcess<Said>> {
  const child = spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const ready = once(createInterface({ input: child.stdout }), 'line')
  const first = await Promise.race([ready, ended.then(() => undefined)])
  if (!first) throw new Error(`${file} ended before it was ready`)
  return {
    pid: child.pid ?? 0,
    said: JSON.parse(String(first[0])) as Said,
    stop: async () => {
      child.kill()
      await ended
    },
  }
}
