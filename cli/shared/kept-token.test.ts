import { chmod, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keepToken, readToken } from './kept-token.ts'

let environment: { XDG_CONFIG_HOME: string }
const now = new Date('2026-01-01T00:00:00Z')
const token = { siteUrl: 'https://ferry.example', bearerToken: 'abc', expiresIso: '2026-01-11T00:00:00.000Z' }

beforeAll(async () => {
  environment = { XDG_CONFIG_HOME: await mkdtemp(join(tmpdir(), 'sf-')) }
})

afterAll(() => rm(environment.XDG_CONFIG_HOME, { recursive: true }))

test('S20: a stored token is readable by its user only, even if the file had a wider mode', async () => {
  const path = await keepToken(environment, token)
  await chmod(path, 0o644)
  await keepToken(environment, token)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect((await stat(join(path, '..'))).mode & 0o777).toBe(0o700)
})

test('each service has its own token', async () => {
  await keepToken(environment, token)
  await keepToken(environment, { ...token, siteUrl: 'http://localhost:4000', bearerToken: 'local' })
  expect(await readToken(environment, 'https://ferry.example', now)).toBe('abc')
  expect(await readToken(environment, 'http://localhost:4000', now)).toBe('local')
  await expect(readToken(environment, 'http://localhost:4001', now)).rejects.toThrow(
    'Not signed in at http://localhost:4001',
  )
})

test('an expired token is not sent', async () => {
  await keepToken(environment, token)
  const atExpiry = new Date(token.expiresIso)
  await expect(readToken(environment, token.siteUrl, atExpiry)).rejects.toThrow('run "storeferry login" again')
})
