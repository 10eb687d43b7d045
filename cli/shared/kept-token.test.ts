import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { forgetToken, keepToken, listTokens, readToken } from './kept-token.ts'

let environment: { XDG_CONFIG_HOME: string }
const now = new Date('2026-01-01T00:00:00Z')
const of = (siteUrl: string, profile?: string) => ({ siteUrl, profile })
const token = { siteUrl: 'https://ferry.example', bearerToken: 'abc', expiresIso: '2026-01-11T00:00:00.000Z' }

beforeAll(async () => {
  environment = { XDG_CONFIG_HOME: await mkdtemp(join(tmpdir(), 'sf-')) }
})

afterAll(() => rm(environment.XDG_CONFIG_HOME, { recursive: true }))

test('S20: a stored token is readable by its user only, even if the file had a wider mode', async () => {
  const path = await keepToken(environment, of(token.siteUrl), token)
  await chmod(path, 0o644)
  await keepToken(environment, of(token.siteUrl), token)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect((await stat(join(path, '..'))).mode & 0o777).toBe(0o700)
})

test('each service has its own token', async () => {
  await keepToken(environment, of(token.siteUrl), token)
  await keepToken(environment, of('http://localhost:4000'), {
    ...token,
    siteUrl: 'http://localhost:4000',
    bearerToken: 'local',
  })
  expect(await readToken(environment, of('https://ferry.example'), now)).toMatchObject({ bearerToken: 'abc' })
  expect(await readToken(environment, of('http://localhost:4000'), now)).toMatchObject({ bearerToken: 'local' })
  await expect(readToken(environment, of('http://localhost:4001'), now)).rejects.toThrow(
    'Not signed in at http://localhost:4001',
  )
})

test('an expired token is not sent', async () => {
  await keepToken(environment, of(token.siteUrl), token)
  const atExpiry = new Date(token.expiresIso)
  await expect(readToken(environment, of(token.siteUrl), atExpiry)).rejects.toThrow('run "storeferry login" again')
})

test('each profile has its own token, beside those of services, until it is forgotten', async () => {
  const own = { XDG_CONFIG_HOME: await mkdtemp(join(tmpdir(), 'sf-')) }
  onTestFinished(() => rm(own.XDG_CONFIG_HOME, { recursive: true }))
  expect(await listTokens(own)).toEqual([])
  for (const profile of [undefined, 'reed-lamps', 'stone-books'])
    await keepToken(own, of(token.siteUrl, profile), { ...token, bearerToken: `of ${profile}` })
  expect(await readToken(own, of(token.siteUrl, 'reed-lamps'), now)).toMatchObject({ bearerToken: 'of reed-lamps' })
  expect((await listTokens(own)).map(({ profile }) => profile)).toEqual(['reed-lamps', 'stone-books', undefined])
  expect(await forgetToken(own, of(token.siteUrl, 'reed-lamps'))).toBe(true)
  expect(await forgetToken(own, of(token.siteUrl, 'reed-lamps'))).toBe(false)
  await expect(readToken(own, of(token.siteUrl, 'reed-lamps'), now)).rejects.toThrow(
    'Not signed in at profile reed-lamps; run "storeferry login --profile reed-lamps" first.',
  )
  expect(await readToken(own, of(token.siteUrl), now)).toMatchObject({ bearerToken: 'of undefined' })
})

test('a damaged file is named with the remedy', async () => {
  const path = await keepToken(environment, of(token.siteUrl), token)
  await writeFile(path, '{"siteUrl":')
  await expect(readToken(environment, of(token.siteUrl), now)).rejects.toThrow(`${path} is damaged; remove it`)
  expect(await forgetToken(environment, of(token.siteUrl))).toBe(true)
})

test('a sign-in that cannot be kept, here below /proc, where no directory can be made, is refused with what to set', async () => {
  const nowhere = { XDG_CONFIG_HOME: '/proc/storeferry' }
  await expect(keepToken(nowhere, of(token.siteUrl), token)).rejects.toThrow(
    'Nothing can be created in /proc/storeferry/storeferry/tokens (ENOENT): set XDG_CONFIG_HOME to a directory in which',
  )
})
