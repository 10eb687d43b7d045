import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aSignedInWorld, type SignedInWorld } from './signed-in-world.ts'

let here: SignedInWorld
beforeAll(async () => {
  here = await aSignedInWorld(['brands'])
})
afterAll(() => here.stop())

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
  await storeferry(['migrate', ...pair, '--entities', 'brands'])
  // The address belongs to this machine, which no server sends to.
  await expect
    .poll(() => storeferry(['deliveries', working]), { timeout: 60_000 })
    .toMatch(
      new RegExp(
        `^\\S+Z migration\\.finished to ${working}: pending; last try \\S+: address_refused; next \\S+ \\[\\S+\\]\n$`,
      ),
    )
  expect(await storeferry(['deliveries', off])).toBe('Nothing was sent.\n')
  expect(await storeferry(['deliveries', '--state', 'delivered'])).toBe('Nothing was sent.\n')
  const [webhook] = JSON.parse(await storeferry(['webhooks', '--json']))
  expect(webhook).toMatchObject({ id: working, enabled: true, failingSince: expect.any(String) })
  const [delivery] = JSON.parse(await storeferry(['deliveries', '--json']))
  expect(delivery).toMatchObject({ webhookId: working, state: 'pending' })
})
