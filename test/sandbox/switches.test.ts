import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { startSandbox } from '../../sandbox/start.ts'
import { SWITCHES } from '../../sandbox/store/switches.ts'

const root = new URL('../../', import.meta.url)
const text = (path: string) => readFile(new URL(path, root), 'utf8')

/** Names in the first column of the tables of switches. */
async function documented(): Promise<string[]> {
  const rows = (await text('docs/sandbox-differences.md')).split('\n').filter((line) => line.startsWith('| `'))
  return rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([a-z_]+)`/g)].map(([, name]) => name ?? ''))
}

/** Every name in quotes or after `switches.` in the code of the sandbox, except in the list itself. */
async function wordsOfTheSandbox(): Promise<Set<string>> {
  const files = (await readdir(new URL('sandbox/', root), { recursive: true })).filter(
    (file) => file.endsWith('.ts') && file !== 'store/switches.ts',
  )
  const texts = await Promise.all(files.map((file) => text(`sandbox/${file}`)))
  const words = texts.flatMap((source) => [...source.matchAll(/(?:switches\.|')([a-z_]+)\b|^ {2}([a-z_]+): /gm)])
  return new Set(words.map(([, one, other]) => one ?? other ?? ''))
}

test('every switch is documented, and every documented switch exists', async () => {
  expect((await documented()).sort()).toEqual([...SWITCHES].sort())
})

test('every listed switch is used', async () => {
  const words = await wordsOfTheSandbox()
  expect(SWITCHES.filter((name) => !words.has(name))).toEqual([])
})

test('every switch that is used is listed', async () => {
  const files = (await readdir(new URL('sandbox/', root), { recursive: true })).filter((file) => file.endsWith('.ts'))
  const texts = await Promise.all(files.map((file) => text(`sandbox/${file}`)))
  const asked = texts.flatMap((source) =>
    [...source.matchAll(/\bswitches\.(?!ts\b)([a-z_]+)/g)].map(([, name]) => name ?? ''),
  )
  expect(asked.length).toBeGreaterThan(15)
  expect(asked.filter((name) => !SWITCHES.includes(name))).toEqual([])
})

test('an unknown switch is refused at the start, together with known ones', async () => {
  const stores = [{ name: 'source', switches: { serve_orginals: false } }]
  await expect(startSandbox({ stores })).rejects.toThrow(/Unknown switch serve_orginals; there are .*serve_originals/)
})

test('an unknown switch is refused at run time, and the known ones change nothing', async () => {
  const sandbox = await startSandbox({ stores: [{ name: 'source' }], adminToken: 'secret' })
  try {
    const url = `${sandbox.url}/__sandbox/stores/source/switches`
    const headers = { 'x-sandbox-admin': 'secret', 'content-type': 'application/json' }
    const body = JSON.stringify({ serve_originals: false, tax: 1 })
    const answer = await fetch(url, { method: 'POST', headers, body })
    expect([answer.status, await answer.json()]).toEqual([400, { error: expect.stringMatching(/Unknown switch tax/) }])
    expect(await (await fetch(url, { headers })).json()).toEqual({})
  } finally {
    await sandbox.close()
  }
})
