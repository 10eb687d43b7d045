import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runCommandHere } from '../../test/cli/run-command.ts'
import { keepToken } from '../shared/kept-token.ts'

test('a comparison that is not followed and whose answer was lost is asked for once more, with the same key', async () => {
  const keys: unknown[] = []
  const server = createServer((request, response) => {
    if (keys.push(request.headers['idempotency-key']) === 1) return request.socket.destroy()
    response.end(JSON.stringify({ requestId: '7' }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const siteUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const home = await mkdtemp(join(tmpdir(), 'sf-'))
  onTestFinished(() => rm(home, { recursive: true }))
  const environment = { HOME: home, STOREFERRY_URL: siteUrl }
  const token = { siteUrl, bearerToken: 'any', expiresIso: '2099-01-01T00:00:00.000Z' }
  await keepToken(environment, { siteUrl, profile: undefined }, token)
  const verified = await runCommandHere(['verify', 'of-a-copy', '--no-watch'], { environment })
  expect(verified).toEqual({ code: 0, output: '7\n', errors: '' })
  expect(keys).toEqual([expect.any(String), keys[0]])
})
