import { brands } from './brands.ts'
import { categories } from './categories.ts'
import type { Component, Entity } from './define.ts'
import { products } from './products.ts'

/** Everything that moves, in the order it moves. */
export const entities: readonly Entity[] = [categories, brands, products]

const components = new Map(
  entities.flatMap((entity) => entity.components.map((component) => [component.key, component] as const)),
)

/** @throws when no entity has such a component: a programming mistake, never a caller's. */
export function componentOf(key: string): Component {
  const component = components.get(key)
  if (!component) throw new Error(`No entity has a component ${key}`)
  return component
}

const scopes = new Map(
  entities.flatMap((entity) => entity.components.map((component) => [component.key, entity.scope] as const)),
)

/** Channels and other references without an entity of their own count as store-wide. */
export function scopeOf(componentKey: string): Entity['scope'] {
  return scopes.get(componentKey) ?? 'store'
}
