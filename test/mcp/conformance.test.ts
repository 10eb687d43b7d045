import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anOrganisation, aService, type Service, siteUrl } from '../api/a-service.ts'
import { anAccessToken } from './a-connection.ts'
import { withFixtures } from './conformance/fixture-tools.ts'
import { startTokenProxy, type TokenProxy } from './conformance/token-proxy.ts'

const packages = {
  '0.1.16': new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
  '0.2.0-alpha.12': new URL('../../node_modules/conformance-next/dist/index.js', import.meta.url),
}
const baseline = (name: string) => fileURLToPath(new URL(`./conformance/baseline-${name}.yml`, import.meta.url))

let service: Service
let proxy: TokenProxy
let folder: string
beforeAll(async () => {
  service = await aService({ toolSet: withFixtures })
  await service.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = service.app.server.address() as AddressInfo
  const { token } = await anAccessToken(service, await anOrganisation(service))
  proxy = await startTokenProxy(`http://127.0.0.1:${port}`, siteUrl, token)
  folder = await mkdtemp(join(tmpdir(), 'storeferry-conformance-'))
})
afterAll(async () => {
  await proxy?.stop()
  await service?.close()
  await rm(folder, { recursive: true, force: true })
})

function run(version: keyof typeof packages, ...args: string[]): Promise<{ exitCode: number; output: string }> {
  const all = [fileURLToPath(packages[version]), ...args, '-o', folder]
  return new Promise((resolve) => {
    const options = { maxBuffer: 64 * 1024 * 1024, timeout: 280_000, cwd: folder }
    execFile(process.execPath, all, options, (error, stdout, stderr) =>
      resolve({ exitCode: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
    )
  })
}

/** The suite fails for what fails and is not in the baseline, and for what is in the baseline and does not fail. */
test.each([
  ['0.1.16', '0.1', []],
  ['0.2.0-alpha.12', '2025-11-25', ['--requirements', '2025-11-25']],
  ['0.2.0-alpha.12', '2026-07-28', ['--requirements', '2026-07-28']],
] as const)('the official suite %s finds only what the baseline %s names', async (version, name, more) => {
  const { exitCode, output } = await run(
    version,
    'server',
    '--url',
    `${proxy.url}/mcp`,
    '--expected-failures',
    baseline(name),
    ...more,
  )
  if (process.env.SHOW_CONFORMANCE) console.log(output)
  expect(exitCode, output.slice(-6_000)).toBe(0)
  expect(output).toMatch(/tools-list/)
})

test.each(['0.1', '2025-11-25', '2026-07-28'])('the baseline %s gives a reason for every scenario', async (name) => {
  const lines = (await readFile(baseline(name), 'utf8')).split('\n')
  const scenarios = lines.filter((line) => line.startsWith('  - '))
  expect(scenarios.length).toBeGreaterThan(0)
  for (const line of scenarios) expect(line).toMatch(/^ {2}- [\w:.-]+ # \w.{10,}$/)
})
