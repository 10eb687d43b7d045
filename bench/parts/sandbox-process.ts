import { fileURLToPath } from 'node:url'
import type { Sandbox, SandboxOptions } from '../../sandbox/start.ts'
import { startProcess } from './started-process.ts'

const MAIN = fileURLToPath(new URL('../../sandbox/main.ts', import.meta.url))

export type RunningSandbox = Pick<Sandbox, 'url' | 'port' | 'stores'> & {
  pid: number
  /** The admin API of one of its stores; requires the admin token. */
  admin<Answer>(store: string, path: string, method?: string): Promise<Answer>
  stop(): Promise<void>
}

/** The sandbox in a separate process, so that the client's work is not measured with it. */
export async function sandboxProcess(options: SandboxOptions): Promise<RunningSandbox> {
  const { said: started, ...sandbox } = await startProcess<Pick<Sandbox, 'url' | 'port' | 'stores'>>(
    MAIN,
    JSON.stringify(options),
  )
  return {
    ...started,
    ...sandbox,
    admin: async <Answer>(store: string, path: string, method = 'GET') => {
      const address = `${started.url}/__sandbox/stores/${store}${path}`
      const answer = await fetch(address, { method, headers: { 'x-sandbox-admin': options.adminToken ?? '' } })
      if (!answer.ok) throw new Error(`The sandbox answered ${answer.status} to ${method} ${path}`)
      const text = await answer.text()
      // Responses of the sandbox's own admin API, as docs/sandbox.md describes them.
      return (text === '' ? undefined : JSON.parse(text)) as Answer
    },
  }
}
