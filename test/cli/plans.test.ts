import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { callStore } from '../engine/call-store.ts'
import { aSignedInWorld, type SignedInWorld } from './signed-in-world.ts'

let here: SignedInWorld

beforeAll(async () => {
  here = await aSignedInWorld(['brands'])
  for (const name of ['Acorn', 'Birch', 'Cedar'])
    await callStore(here.world, 'destination', 'POST', '/v3/catalog/brands', { name })
})

afterAll(() => here.stop())

test('a dry run is planned, and what a replace waits to delete is shown and deleted only when its number is confirmed', async () => {
  const replace = ['migrate', ...here.pair, '--entities', 'brands', '--strategy', 'replace', '--json']
  const dryRun: MigrationDetail = JSON.parse(await here.storeferry([...replace, '--dry-run', '--watch']))
  const plan = await here.storeferry(['plan', dryRun.requestId])
  expect(plan).toMatch(/^brands +4 +0 +3 +0 +0 +0$/m)
  expect(plan).toMatch(
    /^The real run takes \d+ reads of the source, \d+ reads and \d+ writes of the destination; about /m,
  )
  expect(plan).toContain(`Item by item: storeferry differences ${dryRun.requestId}`)

  const copy = [...replace, '--prune-limit-items', '0', '--watch']
  const { requestId }: MigrationDetail = JSON.parse(await here.storeferry(copy, { code: 2 }))
  expect(await here.storeferry(['status', requestId])).toMatch(
    /^3 items wait to be deleted\. See them: storeferry plan /m,
  )
  const waiting = await here.storeferry(['plan', requestId], { columns: 80 })
  for (const name of ['Acorn', 'Birch', 'Cedar'])
    expect(waiting).toMatch(new RegExp(`^brands +\\d+ +${name} .*never in the source$`, 'm'))
  expect((await here.storeferry(['plan', requestId, '--csv'])).split('\r\n')).toHaveLength(1 + 3 + 1)

  expect(await here.refused(['confirm', requestId])).toContain('Say how many items may be deleted: --items 3.')
  expect(await here.refused(['confirm', requestId, '--items', '2'])).toMatch(/2 were confirmed: nothing was done/)
  const confirmed = await here.storeferry(['confirm', requestId, '--items', '3'])
  expect(confirmed).toMatch(/^3 deletions are confirmed; migration .* is (queued|in_progress)\.\n$/)
  expect(await here.storeferry(['watch', requestId])).toMatch(/^Brands +Brands +4 +4 +0 +0 +0 +3$/m)

  const verification: MigrationDetail = JSON.parse(await here.storeferry(['verify', requestId, '--json']))
  const signed = ['sign-off', requestId, '--comparison', verification.requestId, '--note', 'looked at']
  expect(await here.storeferry(signed)).toMatch(/^Signed off by .*, on comparison /)
  expect(await here.storeferry(['status', requestId])).toContain(`Compared by ${verification.requestId} (completed).`)
})
