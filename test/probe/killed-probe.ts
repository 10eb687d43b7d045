import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { startProgram } from '../cli/run-program.ts'
import { until } from '../harness/until.ts'
import { aProbedStore, changedRows, prefix } from './a-probed-store.ts'

/**
 * Kills the command when it has sent a part of its calls, `moment` from 0 to 1, and starts another one, which is interrupted at its
 * first question: what the first one made must be gone.
 */
export async function expectRemovedAfterKill({ quick, moment }: { quick: boolean; moment: number }): Promise<void> {
  const { probe, stateNow, admin, sandbox, hash } = await aProbedStore()
  const before = await stateNow()
  const folder = await mkdtemp(join(tmpdir(), 'storeferry-probe-'))
  try {
    const tokenFile = join(folder, 'token')
    await writeFile(tokenFile, 'secret')
    const args = ['probe', '--store', hash, '--token-file', tokenFile, '--throwaway', '--report', join(folder, 'r.json')]
    const run = startProgram([...args, ...(quick ? ['--quick'] : [])], { environment: { BIGCOMMERCE_API_URL: sandbox.url } })
    const writes = async () => {
      const { counts } = (await admin('GET', '/requests?limit=1')).body as { counts: Record<string, number> }
      return (counts.POST ?? 0) + (counts.PUT ?? 0) + (counts.DELETE ?? 0)
    }
    const enough = 1 + Math.floor(moment * 250)
    await until(async () => run.child.exitCode !== null || (await writes()) >= enough)
    run.child.kill('SIGKILL')
    await run.ended
    const interrupt = new AbortController()
    const next = await probe({ signal: interrupt.signal, onProgress: ({ now }) => now.includes(':') && interrupt.abort() })
    expect(next.after.left).toEqual([])
    const left = changedRows(before, await stateNow()).filter(({ row }) => row.is_deleted !== true)
    expect(left.filter(({ row }) => JSON.stringify(row).includes(prefix)), `after ${enough} writes`).toEqual([])
  } finally {
    await rm(folder, { recursive: true })
  }
}

void once
