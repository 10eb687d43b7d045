import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { aProbedStore, leftBehind } from '../probe/a-probed-store.ts'
import { runCommandHere } from './run-command.ts'
import { startProgram, untilPrinted } from './run-program.ts'

/** A store, and a folder with its token. */
async function aStoreToProbe() {
  const folder = await mkdtemp(join(tmpdir(), 'storeferry-probe-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const tokenFile = join(folder, 'token')
  await writeFile(tokenFile, 'secret\n')
  const shop = await aProbedStore()
  const report = join(folder, 'report.json')
  const args = ['probe', '--store', shop.hash, '--token-file', tokenFile, '--report', report, '--quick']
  return { ...shop, args, report, environment: { BIGCOMMERCE_API_URL: shop.sandbox.url } }
}

test('without --throwaway it says what it would do and sends nothing', async () => {
  const { args, environment, admin } = await aStoreToProbe()
  const { code, errors } = await runCommandHere(args, { environment })
  expect(code).toBe(1)
  expect(errors).toMatch(/^storeferry: The probe creates and deletes .* add --throwaway\.\n$/)
  expect((await admin('GET', '/requests')).body.requests).toEqual([])
})

test('it prints its calls first, compares with the sandbox, and writes the report', async () => {
  const { args, environment, report } = await aStoreToProbe()
  const { code, output, errors } = await runCommandHere([...args, '--throwaway', '--against', 'sandbox'], {
    environment,
  })
  expect([code, errors]).toEqual([0, ''])
  const lines = output.split('\n')
  expect(lines[0]).toMatch(/^\d+ questions, at most 39\d calls: about 2 minutes at 150 calls per 30 s\.$/)
  expect(output).toMatch(/^0 of \d+ answers differ from those of the sandbox\.$/m)
  expect(output).toMatch(/^Removed \d+ items; archived \d+ orders?, because/m)
  const answers = JSON.parse(await readFile(report, 'utf8')) as unknown[]
  expect(output).toContain(`${answers.length} answers, without values of the store.`)
})

test('Ctrl-C ends it cleanly, with exit code 130', async () => {
  const { args, environment, stateNow, report } = await aStoreToProbe()
  const before = await stateNow()
  const run = startProgram([...args, '--throwaway'], { environment })
  await untilPrinted(run, /^100 of at most/m)
  run.child.kill('SIGINT')
  expect(await run.ended).toBe(130)
  expect(run.output()).toContain('The probe was interrupted')
  expect(JSON.parse(await readFile(report, 'utf8'))).not.toEqual([])
  expect(leftBehind(before, await stateNow())).toEqual([])
})
