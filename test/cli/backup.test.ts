import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../src/db/postgres/free-port.ts'
import { createDatabase } from '../harness/postgres.ts'
import { runCommandHere } from './run-command.ts'

let directory: string
let file: string
let lost: string
let found: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sf-'))
  await chmod(directory, 0o711)
  file = join(directory, 'storeferry.backup')
  lost = join(directory, 'lost')
  found = join(directory, 'found')
})
afterAll(() => rm(directory, { recursive: true, force: true }))

/** Runs a command on a data directory. */
async function storeferry(data: string, args: string[], more: Record<string, string> = {}, input?: string) {
  const environment = { HOME: directory, STOREFERRY_DATA: data, ...more }
  const { code, output, errors } = await runCommandHere(args, { environment, input })
  return { code, output, errors }
}

const refusal = (message: RegExp) => ({
  code: 1,
  output: '',
  errors: expect.stringMatching(new RegExp(`^storeferry: ${message.source}\n$`)),
})

test('S6, S8: a data directory is written to one file without its key, lost, and restored elsewhere with the key', async () => {
  expect(await storeferry(lost, ['backup', file])).toEqual(
    refusal(/There is no data of a service in .* nothing to back up\./),
  )
  const owner = ['--owner-first-name', 'Olive', '--owner-last-name', 'Reed', '--owner-email', 'olive@shop.example']
  const create = ['admin', '--new', 'create-organisation', '--name', 'Reed Lamps', ...owner, '--password-stdin']
  expect(await storeferry(lost, create, {}, 'a password long enough\n')).toMatchObject({ code: 0 })

  const backup = await storeferry(lost, ['backup', file])
  const keyFile = join(lost, 'encryption.key')
  expect(backup).toMatchObject({ code: 0, errors: '' })
  expect(backup.output).toMatch(
    /storeferry\.backup has \d+ rows of \d+ tables in \d+ bytes, readable by this user only\./,
  )
  expect(backup.output).toContain(`The master key is not in it: keep a copy of ${keyFile} somewhere else.`)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await storeferry(lost, ['backup', file])).toEqual(
    refusal(/.*storeferry\.backup exists already; name another .*/),
  )

  expect(await storeferry(lost, ['backup', join(directory, 'none', 'storeferry.backup')])).toEqual(
    refusal(/There is no directory .*none; check the path, or make the directory first\./),
  )

  const key = await readFile(keyFile)
  await rm(lost, { recursive: true })
  await restoreElsewhere(key)
  const list = await storeferry(found, ['admin', 'list', '--json'])
  expect(JSON.parse(list.output)).toMatchObject([{ name: 'Reed Lamps' }])
  expect(await storeferry(found, ['restore', file])).toEqual(
    refusal(/The database is not empty \(.*\): restore into a new .*/),
  )
})

async function restoreElsewhere(key: Buffer): Promise<void> {
  expect(await storeferry(found, ['restore', file])).toEqual(
    refusal(/The backup does not contain the master key, and there is none in .*found: copy encryption\.key .*/),
  )
  expect(await readdir(directory)).not.toContain('found')
  await mkdir(found, { mode: 0o711 })
  await writeFile(join(found, 'encryption.key'), key, { mode: 0o600 })
  expect(await storeferry(found, ['restore', join(directory, 'none.backup')])).toEqual(
    refusal(/.*none\.backup does not exist; check the path\./),
  )
  const broken = join(directory, 'broken.backup')
  await writeFile(broken, 'not a backup')
  expect(await storeferry(found, ['restore', broken])).toEqual(
    refusal(/.*broken\.backup is damaged or not a backup of Storeferry, and nothing was restored: use another copy\./),
  )
  const restored = await storeferry(found, ['restore', file])
  expect(restored).toMatchObject({ code: 0, errors: '' })
  expect(restored.output).toMatch(/^\d+ rows are restored, as they were at \d{4}-\d\d-\d\dT/)
  expect(restored.output).toContain('Everyone signs in again')
  expect(restored.output).toContain('check members, API credentials, passwords and store tokens')
}

test('a restore while OpenSearch is away says that everything is restored, and how to finish the search index', async () => {
  const { url, drop } = await createDatabase()
  onTestFinished(drop)
  const key = (await readFile(join(found, 'encryption.key'), 'utf8')).trim()
  const away = `http://127.0.0.1:${await freePort()}`
  const settings = { DATABASE_URL: url, STOREFERRY_KEY: key, OPENSEARCH_URL: away }
  const restored = await storeferry(found, ['restore', file], settings)
  expect(restored).toEqual(
    refusal(/The database is restored, but the search index could not be emptied: run "storeferry reindex", which .*/),
  )
  const list = await storeferry(found, ['admin', 'list', '--json'], settings)
  expect(JSON.parse(list.output)).toMatchObject([{ name: 'Reed Lamps' }])
})
