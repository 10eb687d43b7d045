import type { PlatformItem } from '../entities/define.ts'
import { adoptPairs, type Pair } from './adopt-pairs.ts'
import type { RunContext } from './context.ts'

/** The platform's largest page of tax classes. */
const atOnce = 250

/**
 * Tax classes belong together by name; several of the source may share one of the destination (B6). They are mapped and never
 * created: what a store charges is its own (C4).
 */
export async function pairTaxClasses(context: RunContext): Promise<void> {
  const [source, destination] = await Promise.all([
    listTaxClasses(context, 'source'),
    listTaxClasses(context, 'destination'),
  ])
  const byName = new Map(destination.map((one) => [nameOf(one), one.id]))
  const pairs = source.flatMap((one): Pair[] => {
    const counterpart = byName.get(nameOf(one))
    return counterpart === undefined ? [] : [[one.id, counterpart]]
  })
  await adoptPairs(context, 'tax-classes', pairs, { manyToOne: true })
}

function nameOf({ name }: PlatformItem): string {
  return String(name).trim().toLowerCase()
}

async function listTaxClasses(context: RunContext, side: 'source' | 'destination'): Promise<PlatformItem[]> {
  const found: PlatformItem[] = []
  for (let page = 1; ; page++) {
    const answer = await context[side].get<PlatformItem[] | undefined>(
      '/v2/tax_classes',
      { page, limit: atOnce },
      { signal: context.lease.stop },
    )
    // v2 ends a list with no content.
    found.push(...(answer.body ?? []))
    if ((answer.body ?? []).length < atOnce) return found
  }
}
