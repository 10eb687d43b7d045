import { expect, test } from 'vitest'
import { startSandbox } from '../../sandbox/start.ts'
import { expectToBeCopied } from './profiles.ts'

test.each([
  'documented',
  'as-seen',
])('an old shop is copied to a store that answers as %s: all products, all orders, no children lost', async (profile) => {
  await expectToBeCopied(profile)
})

test('an unknown profile is refused at the start, together with the known ones', async () => {
  await expect(startSandbox({ stores: [{ name: 'source', profile: 'as-sen' }] })).rejects.toThrow(
    /Unknown profile as-sen; there are documented, as-seen/,
  )
})

test('a switch given beside a profile wins', async () => {
  const stores = [{ name: 'source', profile: 'as-seen', switches: { order_stock: 'cut' } }]
  const sandbox = await startSandbox({ stores })
  try {
    expect(sandbox.store('source').switches).toMatchObject({ order_stock: 'cut', category_errors: 'flat' })
  } finally {
    await sandbox.close()
  }
})
