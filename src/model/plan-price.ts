import type { ConflictStrategy } from '../contract/modes.ts'
import { callTotals } from './forecast/call-totals.ts'
import { type Fate, type PassShape, type PassWork, planWork } from './forecast/calls.ts'
import { durationsOf } from './forecast/duration.ts'
import type { PriceBasis } from './forecast/forecast.ts'
import { sumOf } from './results.ts'
import type { ComponentCount } from './run-facts.ts'

/** The cost of carrying out the plan of a dry run. */
export interface PlanPrice {
  sourceReads: number
  destinationReads: number
  writes: number
  /** At the quotas the stores had when the dry run began. */
  minutes: number
}

/** Uses the forecast's model with the plan's counts: reads everything and writes what is planned. */
export function planPrice(
  strategy: ConflictStrategy,
  { shapes, correction, ...conditions }: PriceBasis,
  counts: readonly ComponentCount[],
): PlanPrice {
  const works = shapes.map((shape): PassWork => {
    const own = countsOf(shape, shapes, counts)
    return planWork(asPlanned(shape, own), strategy, fateOf(shape, strategy, own))
  })
  const { opening, phases } = durationsOf(works, conditions)
  const seconds = opening + correction * Object.values(phases).reduce((sum, one) => sum + one, 0)
  const { sourceReads, destinationReads, writes, heavyWrites } = callTotals(works, conditions.opening)
  return {
    sourceReads: Math.round(sourceReads),
    destinationReads: Math.round(destinationReads),
    writes: Math.round(writes + heavyWrites),
    minutes: Math.ceil(seconds / 6) / 10,
  }
}

interface OwnCounts {
  root: ComponentCount | undefined
  children: ComponentCount[]
}

/** Children by pass, as seen in the sample; kinds that the sample missed belong to the first pass of the phase. */
function countsOf(shape: PassShape, shapes: readonly PassShape[], counts: readonly ComponentCount[]): OwnCounts {
  if (shape.adoptOnly) return { root: undefined, children: [] }
  const roots = new Set(shapes.map(({ root }) => root))
  const ownerOf = (component: string, phase: string) =>
    shapes.find(({ creation }) => creation.some((child) => child.component === component)) ??
    shapes.find((one) => one.phase === phase && !one.adoptOnly)
  return {
    root: counts.find(({ component }) => component === shape.root),
    children: counts.filter(
      ({ component, phase }) => !roots.has(component) && phase === shape.phase && ownerOf(component, phase) === shape,
    ),
  }
}

/** The items found, with the planned children of those to be created. */
function asPlanned(shape: PassShape, { root, children }: OwnCounts): PassShape {
  if (!root) return shape
  const items = Math.max(shape.items, root.discovered)
  if (root.created === 0) return { ...shape, items, held: root.discovered }
  const perItem = new Map(children.map((count) => [count.component, count.created / root.created]))
  const creation = shape.creation.map((child) => {
    const planned = perItem.get(child.component)
    if (planned === undefined || child.perItem === 0) return child
    return { ...child, perItem: planned, calls: (child.calls / child.perItem) * planned }
  })
  return { ...shape, items, held: root.discovered, creation }
}

function fateOf(shape: PassShape, strategy: ConflictStrategy, { root, children }: OwnCounts): Fate {
  const nothing: Fate = { created: 0, examined: { anywhere: 0, together: 0 }, continued: 0, corrections: 0, gone: 0 }
  if (!root) return nothing
  const below = sumOf(children)
  // Children of new items are created with them. Others cost a call each, like updates and deletions.
  const changed = root.updated + below.updated + below.pruned + (root.created === 0 ? below.created : 0)
  const corrections = changed - root.updated + Math.ceil(root.updated / shape.updateBatch)
  const fate = root.discovered - root.created
  return {
    created: root.created,
    examined: { anywhere: strategy === 'skip' ? 0 : Math.min(fate, changed), together: 0 },
    continued: strategy === 'skip' ? Math.min(fate, changed) : 0,
    corrections,
    gone: shape.removable ? root.pruned : 0,
  }
}
