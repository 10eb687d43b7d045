import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { aSignedInWorld, loginOf, type SignedInWorld } from './signed-in-world.ts'

let here: SignedInWorld
/** A copy of which two brands failed, and its comparison. */
let failed: { migration: MigrationDetail; verification: MigrationDetail }

beforeAll(async () => {
  here = await aSignedInWorld(['brands'])
  await here.world.fault('destination', {
    kind: 'error_before_applying',
    method: 'POST',
    path: '^/v3/catalog/brands$',
    status: 422,
    times: 2,
  })
  failed = JSON.parse(
    await here.storeferry(
      ['migrate', ...here.pair, '--entities', 'brands', '--no-auto-heal', '--label', 'Tuesday', '--verify', '--json'],
      { code: 4 },
    ),
  )
})

afterAll(() => here.stop())

test('migrate --verify compares the stores after failures as well, and ends with 4', () => {
  const { migration, verification } = failed
  expect(migration).toMatchObject({ mode: 'full', status: 'partial_completed', failuresOpen: 2 })
  expect(verification).toMatchObject({ mode: 'verify', failuresOpen: 2 })
})

test('S20: sign-ins of several organisations are kept beside each other, and the next login needs only the secret', async () => {
  const secret = { input: here.world.identity.client_secret }
  expect(await here.refused(['stores', '--profile', 'lamps'])).toBe(
    'storeferry: Not signed in at profile lamps; run "storeferry login --profile lamps" first.\n',
  )
  await here.storeferry([...loginOf(here.world), '--profile', 'lamps'], secret)
  // Without the address of the service: the profile knows it.
  const elsewhere = { STOREFERRY_URL: '', STOREFERRY_PROFILE: 'lamps' }
  const label = here.world.address('source').hash
  expect(await here.storeferry(['stores'], { environment: elsewhere })).toContain(label)
  await here.storeferry(['login', '--secret-stdin'], { ...secret, environment: elsewhere })
  expect(await here.storeferry(['profiles'])).toMatch(/^lamps +http:\/\/127\.0\.0\.1:\d+ .* \d{4}-\d\d-\d\d$/m)
  const folder = join(here.environment.HOME ?? '', '.config', 'storeferry', 'tokens')
  for (const name of await readdir(folder))
    expect(await readFile(join(folder, name), 'utf8')).not.toContain(here.world.identity.client_secret)
  expect(await here.storeferry(['logout', '--profile', 'lamps'])).toBe('The sign-in at profile lamps is forgotten.\n')
  expect(await here.refused(['stores'], { environment: elsewhere })).toMatch(/^storeferry: Not signed in at profile/)
  expect(await here.refused(['stores'], { environment: { STOREFERRY_PROFILE: '../x' } })).toMatch(
    /^storeferry: STOREFERRY_PROFILE is no name of a profile/,
  )
})
