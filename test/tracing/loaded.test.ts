import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../harness/postgres.ts'
import { until } from '../harness/until.ts'

const launcher = fileURLToPath(new URL('../../bin/storeferry.cjs', import.meta.url))
const hooks = [
  new URL('../harness/end-with-parent.ts', import.meta.url),
  new URL('./loaded-modules.ts', import.meta.url),
]

/** The packages of OpenTelemetry that a worker loads until it is ready. */
async function packagesLoadedBy(environment: Record<string, string>): Promise<string[]> {
  const { url, drop } = await createDatabase()
  onTestFinished(drop)
  const key = randomBytes(32).toString('base64')
  const env = { PATH: process.env.PATH, DATABASE_URL: url, STOREFERRY_KEY: key, LOG_LEVEL: 'silent', ...environment }
  const flags = hooks.flatMap(({ href }) => ['--import', href])
  const worker = spawn(process.execPath, [...flags, launcher, 'worker'], { env, stdio: 'pipe' })
  const ended = once(worker, 'exit')
  let [output, errors] = ['', '']
  worker.stdout.on('data', (chunk) => (output += chunk))
  worker.stderr.on('data', (chunk) => (errors += chunk))
  await until('the worker is ready', () => output.includes('ready for runs') || worker.exitCode !== null, {
    seen: () => errors,
  })
  worker.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  const loaded = [...errors.matchAll(/^loaded .*\/node_modules\/(@opentelemetry\/[\w-]+)\//gm)].map(([, name]) => name)
  return [...new Set(loaded)].map(String).sort()
}

/** The library of the metrics has it: an interface without anything behind it. */
const interfaceOnly = '@opentelemetry/api'

test('without a collector a process loads nothing of OpenTelemetry but the interface that the metrics bring along', async () => {
  expect(await packagesLoadedBy({})).toEqual([interfaceOnly])
})

test('with a collector it does', async () => {
  const loaded = await packagesLoadedBy({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
  expect(loaded).toEqual(
    expect.arrayContaining(['@opentelemetry/exporter-trace-otlp-http', '@opentelemetry/sdk-trace']),
  )
})
