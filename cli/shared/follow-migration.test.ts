import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { followMigration, phaseTable, progressText, warningLines } from './follow-migration.ts'
import { connect } from './service-client.ts'

/** A server that sends these responses in order; null breaks the connection. */
async function anAddress(answers: (null | { httpStatus: number; body: object })[]): Promise<string> {
  const left = [...answers]
  const server = createServer((request, response) => {
    const next = left.shift()
    if (!next) return request.socket.destroy()
    response.writeHead(next.httpStatus, { 'content-type': 'application/json' }).end(JSON.stringify(next.body))
    return undefined
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function aCommandLine(sleep: (ms: number) => Promise<void>, monotonicMs = systemClock.monotonicMs) {
  return {
    config: () => {
      throw new Error('Following needs no settings.')
    },
    environment: {},
    input: new PassThrough(),
    output: new PassThrough(),
    clock: { ...systemClock, monotonicMs, sleep },
    signal: new AbortController().signal,
    version: 'of the tests',
    exitWith: () => undefined,
  }
}

/** Follows with a clock on which pauses pass at once. */
async function follow(siteUrl: string) {
  let nowMs = 0
  const pauses: number[] = []
  const sleep = async (ms: number) => {
    pauses.push(ms)
    nowMs += ms
  }
  const { signal } = new AbortController()
  const commandLine = { ...aCommandLine(sleep, () => nowMs), signal }
  const ended = followMigration(commandLine, connect({ siteUrl, signal }), 'x', { quiet: true })
  return { ended, pauses }
}

const completed = { httpStatus: 200, body: { status: 'completed' } }
const away = { httpStatus: 503, body: { error: 'unavailable', message: 'Not now.' } }
const unknown = { httpStatus: 404, body: { error: 'not_found', message: 'There is no such migration.' } }

test('a service that restarts does not end the following of a migration', async () => {
  const { ended, pauses } = await follow(await anAddress([null, away, null, completed]))
  expect(await ended).toEqual({ status: 'completed' })
  expect(pauses).toEqual([2_000, 2_000, 2_000])
})

test('a service that stays away ends it after two minutes, and a refusal at once', async () => {
  const { ended, pauses } = await follow(await anAddress([]))
  await expect(ended).rejects.toThrow(/^No answer from http:\/\/127\.0\.0\.1:\d+ .* start it with "storeferry start"/)
  expect(pauses).toHaveLength(60)
  const refused = await follow(await anAddress([unknown]))
  await expect(refused.ended).rejects.toThrow('There is no such migration. (not_found)')
  expect(refused.pauses).toEqual([])
})

test('Ctrl-C while a migration is followed says that it goes on, and how to stop it', async () => {
  const progress = { phase: 'brands', percent: 1, done: 1, ratePerSec: 1, overallEtaSeconds: 9 }
  const working = { httpStatus: 200, body: { status: 'in_progress', progress, phases: [], forecast: null } }
  const pressed = new AbortController()
  const output = new PassThrough()
  const commandLine = {
    ...aCommandLine(async () => pressed.abort()),
    output,
    signal: pressed.signal,
  }
  const siteUrl = await anAddress([working])
  const ended = followMigration(commandLine, connect({ siteUrl, signal: pressed.signal }), 'm1')
  await expect(ended).rejects.toThrow()
  expect(String(output.read())).toMatch(
    /\n\nIt goes on\. Follow it: storeferry watch m1\. Stop it: storeferry pause m1\n$/,
  )
})

test.each([
  [0, []],
  [1, ['1 warning. See: storeferry issues m1 --severity warning']],
  [2, ['2 warnings. See: storeferry issues m1 --severity warning']],
])('a migration with %i warnings says so, although everything was copied', (warnings, lines) => {
  expect(warningLines({ requestId: 'm1', counters: { warnings } } as MigrationDetail)).toEqual(lines)
})

test('a migration that tries again what failed says so, and does not name the last step it copied', () => {
  const detail = {
    status: 'in_progress',
    phases: [{ key: 'inventory', label: 'Inventory', components: [{ total: 9 }] }],
    progress: { phase: 'inventory', percent: 99.9, done: 9, ratePerSec: 0, overallEtaSeconds: 60 },
  }
  const textOf = (basis: string) => progressText({ ...detail, forecast: { basis } } as unknown as MigrationDetail)
  expect(textOf('forecast')).toMatch(/^ 99\.9% {2}Inventory, 9 of 9 items, /)
  expect(textOf('fix')).toMatch(/^ 99\.9% {2}trying again what failed, 9 of 9 items, /)
})

test('on a terminal of the usual width, the parts of a migration have their whole names and all numbers', () => {
  const numbers = { total: 12_345, success: 12_345, matched: 0, skipped: 0, failed: 0, pruned: 0 }
  const components = [{ label: 'Logos and icons of channels', ...numbers }]
  const detail = { phases: [{ label: 'Custom templates of the theme', components }] } as unknown as MigrationDetail
  const [header, , row] = phaseTable(detail, 80).split('\n')
  expect(header).toMatch(/^component +total +written +matched +skipped +failed +pruned$/)
  expect(row).toMatch(/^Logos and icons of channels +12345 +12345( +0){4}$/)
  expect(phaseTable(detail, 120)).toMatch(/^phase +component /)
})
