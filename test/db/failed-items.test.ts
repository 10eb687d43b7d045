import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { saveIssues } from '../../src/db/ledger/issues.ts'
import { endItems, planItems } from '../../src/db/ledger/ledger.ts'
import { settleIssues } from '../../src/db/reports/healing.ts'
import { aRunInDatabase } from './a-run.ts'

test('F4, F5: a failure of several items is healed with the last of them, and only then no longer counts as unexpected', async () => {
  const { database, run, end } = await aRunInDatabase()
  const { runId: id, pair } = run
  const of = { id, organisationId: pair.organisationId }
  const covers = ['1', '2', '3'].map((sourceId) => ({ component: 'brands', sourceId }))
  const about = { phase: 'brands', component: 'brands', sourceId: '1', position: { pass: 'brands', rootId: '1' } }
  const issue = { ...about, severity: 'failure' as const, code: 'unexpected' as const, message: 'It failed.' }
  // One of them did not fail.
  const states = ['failed', 'failed', 'created'] as const
  const items = states.map((state, at) => ({
    component: 'brands',
    sourceId: `${at + 1}`,
    pass: 'brands',
    rootId: '1',
    state,
  }))
  await sql`
    insert into run_counters (run_id, phase, component, position, exceptions)
    values (${id}, 'brands', 'brands', 0, 1)`.execute(database)
  await database.transaction().execute(async (tx) => {
    await planItems(tx, id, items)
    await saveIssues(tx, of, [{ ...issue, item: { name: null, sku: null, path: null }, covers }])
  })
  const after = async (sourceId: string) => {
    await database.transaction().execute(async (tx) => {
      await endItems(tx, id, [{ component: 'brands', sourceId, state: 'created' }])
      await settleIssues(tx, of, [issue])
    })
    const { rows } = await sql<{ state: string; exceptions: number }>`
      select state, exceptions from issues join run_counters using (run_id, component) where run_id = ${id}`.execute(
      database,
    )
    return rows
  }
  expect(await after('1')).toEqual([{ state: 'open', exceptions: 1 }])
  expect(await after('2')).toEqual([{ state: 'healed', exceptions: 0 }])
  await end()
})
