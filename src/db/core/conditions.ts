import { type RawBuilder, sql } from 'kysely'

/** A condition of a query; absent where its filter was not given. */
export type Condition = RawBuilder<unknown> | false | undefined | null

/**
 * All conditions that are there. Leaving out a filter that was not given, instead of testing it for null, saves PostgreSQL
 * most of the time that it plans.
 */
export function allOf(...conditions: readonly Condition[]): RawBuilder<unknown> {
  const given = conditions.filter((condition) => typeof condition === 'object' && condition !== null)
  return given.length > 0 ? sql.join(given, sql` and `) : sql`true`
}

/** Whether no filter was given. */
export function isEmpty(filters: object): boolean {
  return Object.values(filters).every((value) => value === undefined)
}
