import type { Migration } from '../../data/queries.ts'

/** The label of a part of a migration. */
export function partLabel({ phases }: Migration, key: string): string {
  return phases.flatMap(({ components }) => components).find((component) => component.key === key)?.label ?? key
}

/** The parts to choose from: those in which the migration found or changed anything. */
export function partWords({ phases }: Migration): Record<string, string> {
  const parts = phases.flatMap(({ components }) => components)
  const busy = parts.filter((one) => one.total + one.discovered + one.pruned + one.failed > 0)
  return Object.fromEntries(busy.map(({ key, label }) => [key, label]))
}

/** Whether it tries again what failed, as a person asked. All of its steps are done then. */
export function isRetry({ forecast }: { forecast: Pick<NonNullable<Migration['forecast']>, 'basis'> | null }): boolean {
  return forecast?.basis === 'fix'
}

type Phase = Migration['phases'][number]

/** How many items of a step have an outcome. */
export function doneOf({
  created,
  updated,
  skipped,
  matched,
  failed,
}: Pick<Phase, 'created' | 'updated' | 'skipped' | 'matched' | 'failed'>): number {
  return created + updated + skipped + matched + failed
}
