import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { freePort } from '../../src/db/postgres/free-port.ts'
import { findOnPath } from '../harness/on-path.ts'
import { until } from '../harness/until.ts'
import { startWorld, type World } from '../harness/world.ts'
import { alertTests } from './alert-cases.ts'
import { alertsFile, panels, rules } from './monitoring.ts'

const found = findOnPath('prometheus') && findOnPath('promtool')

interface Sample {
  metric: Record<string, string>
  value: [number, string]
}

describe.skipIf(!found)(found ? 'a Prometheus' : 'a Prometheus (install prometheus and promtool)', () => {
  let folder: string
  let world: World
  let address: string
  let stopPrometheus: () => Promise<unknown>

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sf-'))
    const port = await freePort()
    world = await startWorld({ entities: ['brands'], settings: { metrics: { host: '127.0.0.1', port } } })
    await writeFile(join(folder, 'prometheus.yaml'), await configuration(port))
    const prometheus = await startPrometheus(folder)
    address = prometheus.address
    stopPrometheus = prometheus.stop
  })
  afterAll(async () => {
    await stopPrometheus?.()
    await world?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  async function ask<Answer>(path: string): Promise<Answer> {
    const answer = (await (await fetch(`http://${address}/api/v1/${path}`)).json()) as { status: string; data: Answer }
    expect(answer, path).toMatchObject({ status: 'success' })
    return answer.data
  }

  async function query(expr: string): Promise<Sample[]> {
    const wide = expr.replaceAll('$__rate_interval', '1m')
    return (await ask<{ result: Sample[] }>(`query?query=${encodeURIComponent(wide)}`)).result
  }

  test('accepts the configuration of the manual with the alert rules, and each alert fires when it should and not otherwise', async () => {
    await writeFile(join(folder, 'tests.yaml'), alertTests())
    for (const command of [
      ['check', 'config', 'prometheus.yaml'],
      ['check', 'rules', alertsFile],
      ['test', 'rules', 'tests.yaml'],
    ]) {
      const { status, stdout, stderr } = spawnSync('promtool', command, { cwd: folder })
      expect(status, `${stdout}${stderr}`).toBe(0)
    }
  })

  test('has an answer to every query of the dashboard after a copy, and every rule works', async () => {
    // Prometheus begins some seconds after its start, and a counter that it sees for the first time has not increased.
    await until('the first scrape', async () => (await query('storeferry_items_total')).length > 0)
    await world.finished(await world.migrate())
    await until('the copy was scraped', async () => {
      const created = await query('increase(storeferry_items_total{outcome="created"}[1m]) > 0')
      const completed = await query('storeferry_runs_ended_total{status="completed"} > 0')
      return created.length > 0 && completed.length > 0 ? true : undefined
    })
    for (const { name, expr } of panels) {
      // This service has no search index.
      if (expr.includes('storeferry_outbox_')) expect(await query(expr), name).toEqual([])
      else expect((await query(expr)).length, name).toBeGreaterThan(0)
    }
    for (const { expr } of rules) await query(expr)
    const { groups } = await ask<{ groups: { rules: { name: string; health: string; state: string }[] }[] }>('rules')
    expect(groups.flatMap((group) => group.rules)).toEqual(
      // On a busy machine, the lag of the event loop may be pending.
      rules.map(({ alert }) =>
        expect.objectContaining({ name: alert, health: 'ok', state: expect.stringMatching(/^(inactive|pending)$/) }),
      ),
    )
  })
})

/** The one of docs/hosting.md, with the port of this service, and faster. */
async function configuration(port: number): Promise<string> {
  const manual = await readFile(new URL('../../docs/hosting.md', import.meta.url), 'utf8')
  const [, block = ''] = /```yaml\n(rule_files:[^`]*)```/.exec(manual) ?? []
  expect(block).toContain("'127.0.0.1:9464'")
  const written = parse(block.replace('9464', String(port)))
  return JSON.stringify({
    ...written,
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [alertsFile],
  })
}

async function startPrometheus(folder: string): Promise<{ address: string; stop(): Promise<unknown> }> {
  const options = ['--config.file', 'prometheus.yaml', '--storage.tsdb.path', 'data']
  const child = spawn('prometheus', [...options, '--web.listen-address', '127.0.0.1:0'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise((resolve) => child.on('close', resolve))
  const stop = () => {
    child.kill()
    return ended
  }
  const lines = createInterface(child.stderr)
  const address = await new Promise<string>((resolve, reject) => {
    // For as long as it runs: it would stop at a full pipe.
    lines.on('line', (line) => {
      const [, listening] = /msg="?Listening on"? .*address=(127\.0\.0\.1:\d+)/.exec(line) ?? []
      if (listening) resolve(listening)
    })
    child.on('close', () => reject(new Error('Prometheus ended before it listened.')))
  })
  return { address, stop }
}
