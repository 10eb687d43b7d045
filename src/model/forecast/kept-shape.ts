import type { PassShape } from './calls.ts'

/** What a survey found out about a pass and what the forecast of the next run between the same stores takes over. */
export type KeptShape = Pick<PassShape, 'key' | 'root' | 'items' | 'held' | 'standing' | PerItem>

/** Means over a sample of items, and the calls of lists that have to be walked. */
type PerItem = 'sourceWalk' | 'listWalk' | 'detailReads' | 'creation' | 'late' | 'levels'

export function shapeToKeep(shape: PassShape): KeptShape {
  const { key, root, items, held, standing, sourceWalk, listWalk, detailReads, creation, late, levels } = shape
  return { key, root, items, held, standing, sourceWalk, listWalk, detailReads, creation, late, levels }
}
