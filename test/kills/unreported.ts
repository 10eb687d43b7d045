import type { Issue } from '../../src/contract/issues.ts'
import { compareStores } from '../comparison/compare-stores.ts'
import type { World } from '../harness/world.ts'

/** Copies twice, and does this between. @returns the issues of both runs */
export async function issuesOfTwoRuns(world: World, between: () => Promise<void>): Promise<Issue[]> {
  const first = await world.migrate()
  await world.finished(first, { seconds: 900 })
  await between()
  const second = await world.migrate()
  await world.finished(second, { seconds: 900 })
  return [...(await world.issues(first)), ...(await world.issues(second))]
}

/**
 * Items that the destination has too few or too many of, and stock levels that are not those of the source, less those that issues about their components report: one line for each
 * component with more of them than issues.
 *
 * @param components those that were copied; absent: all
 */
export async function unreported(
  world: World,
  issues: readonly Pick<Issue, 'component' | 'severity' | 'code'>[],
  components?: readonly string[],
): Promise<string[]> {
  const findings = compareStores(await world.state('source'), await world.state('destination'))
  const wrong = findings.filter(
    ({ kind, entity }) => (kind !== 'different' || entity === 'inventory') && (components?.includes(entity) ?? true),
  )
  return [...Map.groupBy(wrong, ({ entity }) => entity)].flatMap(([component, found]) => {
    const reported = issues.filter((issue) => issue.component === component && reportsOne(issue)).length
    const keys = found.map(({ kind, key }) => `${kind} ${key}`).join(', ')
    return found.length > reported ? [`${component}: ${keys}; ${reported} reported`] : []
  })
}

/** A page that got another address has one more redirect than the source, which a warning names. */
function reportsOne({ severity, code }: Pick<Issue, 'severity' | 'code'>): boolean {
  return severity === 'failure' || code === 'address_redirected'
}
