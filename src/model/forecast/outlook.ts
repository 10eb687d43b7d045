import { likelyFate, type PassShape, strategyFor } from './calls.ts'
import type { Scope } from './scope.ts'

/** What a copy would do with items of the source and their children, and with those that only the destination has. */
export interface Outlook {
  created: number
  /** Compared in full, so this is the most that can change. */
  compared: number
  kept: number
  deleted: number
}

/** The likely outcome of a copy of these passes. */
export function outlookOf(shapes: readonly PassShape[], chosenStrategy: Scope['strategy']): Outlook {
  const outlook = { created: 0, compared: 0, kept: 0, deleted: 0 }
  for (const shape of shapes) {
    if (shape.adoptOnly || shape.unread) continue
    const { created, examined, continued, gone } = likelyFate(shape, strategyFor(shape, chosenStrategy))
    const compared = Math.min(shape.held - created, examined.anywhere + examined.together + continued)
    const whole = withParts(shape)
    outlook.created += created * whole
    outlook.compared += compared * whole
    outlook.kept += (shape.held - created - compared) * whole
    outlook.deleted += gone * whole
  }
  return outlook
}

/** An item with its children, which count like items (G3). Destination items are assumed to have as many. */
function withParts({ creation, root }: PassShape): number {
  return creation.reduce((sum, { component, perItem }) => (component === root ? sum : sum + perItem), 1)
}
