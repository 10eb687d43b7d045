import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import {
  aPlatform,
  type Platform,
  runClient,
  runWithSandbox,
  type ScenarioResult,
} from '../sandbox/clients/run-client.ts'
import { installInto } from './install-packages.ts'

const npm = installInto('npm', (folder) => [
  ...['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', 'node-bigcommerce@4.1.0'],
])
const pip = installInto('python3', (folder) => [
  ...['-m', 'pip', 'install', '--disable-pip-version-check', '--target', folder, 'bigcommerce==0.23.4'],
])
afterAll(() => {
  for (const folder of [npm, pip]) if (folder) rmSync(folder, { recursive: true })
})

const orWhatIsMissing = (folder: string | undefined, title: string, missing: string) =>
  folder ? title : `${title} (${missing} cannot be installed here)`

/** What a client sends is refused nowhere. */
const refused = async ({ statuses }: Platform) => (await statuses()).filter((status: number) => status >= 400)

describe.skipIf(!npm)(orWhatIsMissing(npm, 'node-bigcommerce 4.1.0 from npm', 'node-bigcommerce'), () => {
  const ask = (platform: Platform, scenario: string): Promise<ScenarioResult> =>
    runClient('../../clients/node-bigcommerce.ts', platform, scenario, { env: { CLIENT_FOLDER: String(npm) } })

  test('creates, changes, lists and deletes products with variants', async () => {
    const platform = await aPlatform()
    const { listed, left } = await ask(platform, 'catalogue')
    expect(listed.data).toMatchObject([
      { name: 'Linen Shirt', price: 45, variants: [{ sku: 'LS-S' }, { sku: 'LS-M' }] },
    ])
    expect([left.data, await refused(platform)]).toEqual([[], []])
  })

  test('creates and changes orders of version 2, and reads their lines', async () => {
    const platform = await aPlatform()
    const { changed, lines, count } = await ask(platform, 'orders')
    expect([changed, lines, count]).toMatchObject([{ status: 'Shipped' }, [{ quantity: 2 }], { count: 1 }])
    expect(await refused(platform)).toEqual([])
  })

  test('gets the refusals of unknown parameters and fields', async () => {
    const { parameter, field } = await ask(await aPlatform(), 'refusals')
    expect(parameter).toMatchObject({ code: 422, message: expect.stringContaining('The filter(s): foo') })
    expect(field).toMatchObject({ code: 400, message: expect.stringContaining("The field 'zzz'") })
  })
})

describe.skipIf(!pip)(orWhatIsMissing(pip, 'bigcommerce 0.23.4 from PyPI', 'it or python3'), () => {
  const script = fileURLToPath(new URL('bigcommerce_scenarios.py', import.meta.url))
  const ask = async (platform: Platform, scenario: string): Promise<ScenarioResult> => {
    const env = { PYTHONPATH: String(pip), PATH: process.env.PATH }
    return JSON.parse(await runWithSandbox('python3', [script, scenario], platform, env))
  }

  test.each([
    ['coupons', { found: ['7.0000'], left: [] }],
    ['groups', ['Friends']],
    ['orders', { status: 'Shipped', lines: ['Linen Shirt'], cities: ['Austin'] }],
  ])('creates, changes and reads %s', async (scenario, result) => {
    const platform = await aPlatform()
    expect(await ask(platform, scenario)).toEqual(result)
    expect(await refused(platform)).toEqual([])
  })

  test('reads the store and its time', async () => {
    const platform = await aPlatform()
    expect(await ask(platform, 'store')).toEqual({ id: platform.hash, time: true })
  })

  test('gets the refusal of an unknown parameter', async () => {
    const { status, content } = await ask(await aPlatform(), 'refusal')
    expect([status, content]).toEqual([
      400,
      expect.stringContaining("The field 'id' is not supported by this resource."),
    ])
  })
})
