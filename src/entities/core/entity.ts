import type { Query } from '../../bigcommerce/query.ts'
import type { ThemeWish } from '../../contract/create-migration.ts'
import type { Component, Scope } from './component.ts'
import type { Pass } from './pass.ts'
import type { Reading } from './reading.ts'

/** A part of an entity that no run copies, as docs/entities.md describes it. */
export interface NotMoved {
  what: string
  why: string
}

/** A scope of a token. Source: the securitySchemes text of each OpenAPI file. */
export interface TokenScope {
  /** The scope to modify. */
  scope: string
  /** The scope to read; absent: `scope` with `_read_only` appended. */
  reading?: string
  /** Paths whose calls need it; the longest match explains a refused call. */
  below?: readonly string[]
  /**
   * A call that needs the scope and counts as one call against the quota, made before the first phase. Catalogue scopes
   * are probed separately.
   */
  probe?: { path: string; query: Query }
}

/** The control panel section that contains it, shown to people who choose what to copy. */
export const entityGroups = ['catalog', 'customers', 'orders', 'marketing', 'storefront', 'settings'] as const
export type EntityGroup = (typeof entityGroups)[number]

/** What moves, and how. */
export interface Entity {
  key: string
  label: string
  group: EntityGroup
  after: readonly string[]
  /** Mappings of components with storefront scope are keyed by storefront pair (D3). */
  scope: Scope
  prune: 'allowed' | 'never'
  /** Only copied in runs that name it or set one of these theme options. Absent: in every run over everything. */
  optIn?: readonly ThemeWish[]
  passes: readonly Pass[]
  components: readonly Component[]
  /** The token scopes that it needs. */
  scopes?: readonly TokenScope[]
  /** Empty: everything is copied. */
  notMoved: readonly NotMoved[]
}

/** The scope that a token needs to read. */
export function readingScope({ scope, reading = `${scope}_read_only` }: TokenScope): string {
  return reading
}

/**
 * @throws when the entity breaks a rule of the registry: unknown root, no recovery or data class, or an unreachable
 * component
 */
export function defineEntity(entity: Entity): Entity {
  const known = new Set(entity.components.map((component) => component.key))
  for (const pass of entity.passes) {
    if (!known.has(pass.root)) throw new Error(`${entity.key}: pass ${pass.key} has no component ${pass.root}`)
    if (pass.source.pages && pass.source.kind !== 'staged')
      throw new Error(`${entity.key}: pass ${pass.key} lists in a way of its own and is not staged`)
    for (const reading of [pass.source, pass.destination]) refuseUnpriced(entity.key, pass.key, reading)
  }
  for (const component of entity.components) refuseIncomplete(entity.key, component)
  return entity
}

/** A forecast cannot count the calls of a pass whose `pages` it does not run, unless `walkCalls` gives their number. */
function refuseUnpriced(entity: string, pass: string, { pages, usually, length, walkCalls }: Reading): void {
  if (pages && (usually !== undefined || length) && !walkCalls)
    throw new Error(`${entity}: pass ${pass} is not walked to be counted, and does not say what it asks`)
}

function refuseIncomplete(entity: string, component: Component): void {
  if (!['key', 'baseline', 'resend'].includes(component.recovery))
    throw new Error(`${entity}: ${component.key} declares no recovery (B3)`)
  if (!['catalogue', 'personal', 'secret'].includes(component.data))
    throw new Error(`${entity}: ${component.key} declares no data class (S9)`)
  if (component.recovery !== 'resend' && !component.carried && !component.probe)
    throw new Error(`${entity}: ${component.key} recovers by ${component.recovery} but has no probe`)
  if (!component.carried && !component.create && component.callsPerItem.write > 0)
    throw new Error(`${entity}: ${component.key} can neither be created nor is it carried`)
}
