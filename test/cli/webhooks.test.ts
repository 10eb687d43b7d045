import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/db/core/database.ts'
import { claimDue, saveTry } from '../../src/db/notifications/deliveries.ts'
import { distributeEvents } from '../../src/db/notifications/events.ts'
import { until } from '../harness/until.ts'
import { aSignedInWorld, type SignedInWorld } from './signed-in-world.ts'

let here: SignedInWorld
beforeAll(async () => {
  here = await aSignedInWorld(['brands'])
})
afterAll(() => here.stop())

/** As a server would, whose receiver is down. */
async function failOnce(database: Database): Promise<void> {
  const now = new Date()
  // Other tests of this process may have left more events than are distributed at once.
  const due = await until('it is due', async () => {
    await distributeEvents(database, { now, mails: false })
    return (await claimDue(database, { now, busy: [], limit: 1, mails: false }))[0]
  })
  const tried = { at: now, durationMs: 7, httpStatus: 503, problem: 'http_status' as const }
  await database.transaction().execute((tx) => saveTry(tx, due, tried, new Date(now.getTime() + 5_000)))
}

test('storeferry webhooks and deliveries show what is sent where, and what came of it', async () => {
  const { world, storeferry, pair } = here
  const { database, organisationId } = world
  expect(await storeferry(['webhooks'])).toBe('There are no webhooks.\n')
  expect(await storeferry(['deliveries'])).toBe('Nothing was sent.\n')
  const [working, off] = [randomUUID(), randomUUID()]
  await sql`
    insert into webhooks (id, organisation_id, url, description, events, enabled, disabled_because, failing_since, created_at)
    values (${working}, ${organisationId}, 'https://127.0.0.1/', '', null, true, null, null, now()),
      (${off}, ${organisationId}, 'https://hooks.example/', '', '{store.mails_off}', false, 'gone', null, now() + interval '1 second')`.execute(
    database,
  )
  const listed = (await storeferry(['webhooks'])).trimEnd().split('\n').slice(2)
  expect(listed.map((line) => line.trim().split(/ {2,}/))).toEqual([
    [working, 'https://127.0.0.1/', 'works', 'every event'],
    [off, 'https://hooks.example/', 'off: it answered that it is gone', 'store.mails_off'],
  ])
  await storeferry(['migrate', ...pair, '--entities', 'brands', '--watch'])
  await failOnce(database)
  expect(await storeferry(['deliveries', working])).toMatch(
    new RegExp(
      `^\\S+Z migration\\.finished to ${working}: pending; last try \\S+: http_status 503; next \\S+ \\[\\S+\\]\n$`,
    ),
  )
  expect(await storeferry(['deliveries', off])).toBe('Nothing was sent.\n')
  expect(await storeferry(['deliveries', '--state', 'delivered'])).toBe('Nothing was sent.\n')
  const [webhook] = JSON.parse(await storeferry(['webhooks', '--json']))
  expect(webhook).toMatchObject({ id: working, enabled: true })
  const [delivery] = JSON.parse(await storeferry(['deliveries', '--json']))
  expect(delivery).toMatchObject({ webhookId: working, state: 'pending' })
})
