import { seededRandom } from '../sandbox/store/random.ts'

/** So many of the items, each at most once; all of them when there are fewer. The same seed picks the same ones. */
export function pickAtRandom<Item>(items: Item[], count: number, seed: number): Item[] {
  const random = seededRandom(seed)
  const left = [...items]
  return Array.from({ length: Math.min(count, items.length) }, () =>
    left.splice(Math.floor(random() * left.length), 1),
  ).flat()
}
