import type { Difference } from '../../src/contract/differences.ts'

/** Of personal and secret data, only the name of a field leaves the service. */
export function isWithheld({ source, destination }: Pick<Difference['fields'][number], 'source' | 'destination'>) {
  return source === null && destination === null
}
