import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { remediesAsCommands } from './remedies-as-commands.ts'

test.each([
  ['GET /v2/migrations lists its migrations.', '"storeferry list" lists its migrations.'],
  ['use a hash from GET /v2/stores.', 'use a hash from "storeferry stores".'],
  ['GET /v2/stores/abc123/storefronts lists them.', '"storeferry stores abc123" lists them.'],
  ['use `prune` from GET /v2/migrations/{id}/request.', 'use `prune` from "storeferry status {id} --json".'],
  // The platform's own routes look similar.
  ['GET /v2/store was refused', 'GET /v2/store was refused'],
  ['GET /v2/migrations/x/items', 'GET /v2/migrations/x/items'],
])('%j becomes %j', (message, expected) => {
  expect(remediesAsCommands(message)).toBe(expected)
})

/** Accepts only a cookie, which the command line does not have. */
const ofBrowsers = ['POST /v2/session/reauthentication']

test('every route that a message of the service names has a command', () => {
  const source = join(import.meta.dirname, '../../src')
  const named = ['contract', 'operations', 'accounts', 'api'].flatMap((folder) =>
    readdirSync(join(source, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .flatMap((name) => readFileSync(join(source, folder, name), 'utf8').split('\n'))
      .filter((line) => !/^\s*(\/?\*|\/\/)/.test(line))
      .flatMap((line) => line.match(/\b(GET|POST|PUT|PATCH|DELETE) \/v2\/[\w${}/-]+/g) ?? []),
  )
  const messages = named.map((route) => route.replaceAll(/\$\{\w+\}/g, 'abc123'))
  expect(messages.length).toBeGreaterThan(5)
  expect(messages.filter((message) => remediesAsCommands(message) === message)).toEqual(ofBrowsers)
})
