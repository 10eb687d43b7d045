import type { Component } from './component.ts'

type Accepting = Pick<Component, 'accepts'>

/** Whether the platform accepts this field in a write. */
export function isAccepted({ accepts }: Accepting, field: string): boolean {
  return accepts === undefined || accepts.includes(field)
}

/** The body without the fields for which the platform would refuse the item (G16). */
export function acceptedBody(component: Accepting, body: unknown): unknown {
  if (component.accepts === undefined || typeof body !== 'object' || body === null) return body
  return Object.fromEntries(Object.entries(body).filter(([field]) => isAccepted(component, field)))
}
