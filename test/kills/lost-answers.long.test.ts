import { expect, test } from 'vitest'
import type { FaultKind } from '../../sandbox/faults/faults.ts'
import { creators } from './creators.ts'
import { inAWorld } from './in-a-world.ts'
import { expectCopiedDespite } from './lost-answers.ts'
import { timeout } from './moments.ts'
import { killSubject } from './subjects.ts'

/**
 * In groups: a run gives up an item after five failed attempts, and a write that is simply repeated may get every kind of answer
 * set for its component.
 */
const kinds: FaultKind[][] = [
  ['reset_before_applying', 'reset_after_applying', 'truncated_body'],
  ['error_before_applying', 'error_after_applying'],
  ['too_many_requests', 'overloaded'],
]

for (const met of kinds)
  test(
    `B2: every component that creates is copied once despite these faults of its calls: ${met.join(', ')}`,
    {
      timeout,
    },
    () => expectCopiedDespite(met, creators),
  )

test('B2: every product is there once although a write is applied twenty seconds after its time-out', { timeout }, () =>
  inAWorld({ catalogueOnly: true, requestTimeoutSeconds: 1, settleSeconds: 21 }, async (world) => {
    const late = { kind: 'apply_late', seconds: 21 } as const
    await world.fault('destination', { ...late, ...killSubject('products').write })
    const run = await world.migrate({ entities: ['products'] })
    expect(await world.finished(run, { seconds: 300 })).toMatchObject({ status: 'completed' })
    expect((await world.faults('destination')).map(({ hits }) => hits)).toEqual([1])
    const names = (await world.state('destination')).products?.map(({ name }) => String(name)) ?? []
    const expected = (await world.state('source')).products?.map(({ name }) => String(name)) ?? []
    expect(names.sort()).toEqual(expected.sort())
  }),
)
