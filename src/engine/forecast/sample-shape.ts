import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import { hasRows, type Pass } from '../../entities/core/pass.ts'
import { identity, type References } from '../../entities/core/references.ts'
import { componentOf } from '../../entities/registry.ts'
import type { ChildCalls, PassShape } from '../../model/forecast/calls.ts'
import { isHeavy } from './pass-shape.ts'

export type PassSample = Pick<PassShape, 'creation' | 'detailReads' | 'late' | 'levels'> & { heldShare: number }

/**
 * Means over the sampled items.
 *
 * @param details some of the items, each with the lists that are read item by item
 */
export function sampleOf(pass: Pass, items: PlatformItem[], details: Map<PlatformItem, PlatformItem>): PassSample {
  const own = pass.details ?? []
  const having = items.filter((item) => own.some((detail) => detail.mayHave(item))).length
  const whole = [...details.values()]
  // With `namedBy`, only items that another pass refers to are read: about as many as have rows in the sample.
  const readShares = own.map(({ namedBy, field, mayHave }) =>
    namedBy ? shareOf(whole, (item) => hasRows(item[field])) : shareOf(items, mayHave),
  )
  const held = whole.length === 0 || !pass.holds ? 1 : whole.filter(pass.holds).length / whole.length
  const counts = new CreationCounts()
  let late = 0
  for (const item of items) {
    const others = new NamedOthers(pass.root)
    counts.add(pass.drafts(item, others), 1 / items.length)
    late += others.waits / items.length
  }
  // The details of a few items represent those of all items that may have some.
  for (const [raw, item] of details) {
    counts.add(pass.drafts(item, identity), having / items.length / details.size)
    counts.add(pass.drafts(raw, identity), -having / items.length / details.size)
  }
  return {
    creation: counts.list(),
    detailReads: readShares.reduce((sum, share) => sum + share, 0),
    // A hierarchy is written level by level, so nothing is completed late.
    late: pass.parentOf ? 0 : late,
    levels: pass.parentOf ? levelsOf(pass, items) : 1,
    heldShare: held,
  }
}

function shareOf(items: PlatformItem[], has: (item: PlatformItem) => boolean): number {
  return items.length === 0 ? 0 : items.filter(has).length / items.length
}

/** Mean numbers of what is created along with an item, and of the calls that it takes. */
class CreationCounts {
  private readonly byComponent = new Map<string, ChildCalls>()

  add(root: Draft, weight: number): void {
    this.addOne(root, weight, callsFor(root, false), true)
    for (const child of root.children) this.addChild(child, weight)
  }

  list(): ChildCalls[] {
    return [...this.byComponent.values()].filter(({ perItem }) => perItem > 1e-9)
  }

  private addChild(child: Draft, weight: number): void {
    this.addOne(child, weight, child.inline ? 0 : callsFor(child, true))
    for (const below of child.children) this.addChild(below, weight)
  }

  private addOne(one: Draft, weight: number, calls: number, isRoot = false): void {
    const { component } = one
    const { recovery } = componentOf(component)
    const counted = this.byComponent.get(component) ?? {
      component,
      perItem: 0,
      calls: 0,
      heavy: calls > 0 && isHeavy(one),
      // A new parent has no children yet.
      looksFirst: recovery === 'baseline' && isRoot && one.parentId === null,
    }
    counted.perItem += weight
    counted.calls += weight * calls
    this.byComponent.set(component, counted)
  }
}

/** As its component declares, plus one if it has children that cannot be sent with its creation. */
function callsFor(one: Draft, isChild: boolean): number {
  const { callsPerItem, carried } = componentOf(one.component)
  if (isChild && carried) return 0
  const corrects = one.children.some((child) => !child.inline && componentOf(child.component).carried)
  return callsPerItem.write + (isChild && corrects ? 1 : 0)
}

/** References that count how many items of its own kind an item refers to. */
class NamedOthers implements References {
  count = 0
  private readonly root: string

  constructor(root: string) {
    this.root = root
  }

  need(component: string, sourceId: unknown): number {
    if (component === this.root) this.count++
    return Number(sourceId)
  }

  want(component: string, sourceId: unknown): number {
    return this.need(component, sourceId)
  }

  find(component: string, sourceId: unknown): number {
    return this.need(component, sourceId)
  }

  has(component: string, sourceId: unknown): boolean {
    this.need(component, sourceId)
    return true
  }

  wantText(component: string, sourceId: unknown): string {
    return String(this.need(component, sourceId))
  }

  picture: References['picture'] = identity.picture

  /** The chance that at least one of `count` others comes later in the list than the item itself. */
  get waits(): number {
    return this.count / (this.count + 1)
  }
}

/** The longest chain of parents among the sampled items. */
function levelsOf(pass: Pass, items: PlatformItem[]): number {
  const parents = new Map(items.map((item) => [String(item[pass.source.idField]), pass.parentOf?.(item) ?? null]))
  let deepest = 1
  for (const id of parents.keys()) {
    let depth = 1
    for (let at = parents.get(id); at && parents.has(at) && depth < parents.size; at = parents.get(at)) depth++
    deepest = Math.max(deepest, depth)
  }
  return deepest
}
