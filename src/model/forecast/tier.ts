import { type Tier, tiers } from '../../contract/migration.ts'

interface Capacity {
  /** The most products, variants, customers and orders in total. */
  upTo: number
  memMB: number
  cpus: number
}

/** Resources of a run, by the size of its source store. First estimates, to be replaced by measured values. */
export const capacities: Record<Tier, Capacity> = {
  small: { upTo: 5_000, memMB: 256, cpus: 0.25 },
  medium: { upTo: 25_000, memMB: 256, cpus: 0.25 },
  large: { upTo: 100_000, memMB: 384, cpus: 0.5 },
  xlarge: { upTo: 500_000, memMB: 512, cpus: 1 },
  xxlarge: { upTo: 2_000_000, memMB: 768, cpus: 1.5 },
  xxxlarge: { upTo: Number.POSITIVE_INFINITY, memMB: 1024, cpus: 2 },
}

export function tierOf(storeItems: number): Tier {
  return tiers.find((tier) => storeItems <= capacities[tier].upTo) ?? 'xxxlarge'
}
