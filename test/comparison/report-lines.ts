import type { Difference } from '../../src/contract/differences.ts'
import type { Finding } from './compare-stores.ts'

/** What the comparison reports, one line per finding: entity, kind, key and field. */
export function linesOfFindings(findings: Finding[]): string[] {
  return findings.map(({ entity, kind, key, field }) => [entity, kind, key, field ?? []].flat().join(' ')).sort()
}

/** What verify reports, one line per field or item: component, kind, id at the source, id at the destination, field. */
export function linesOfDifferences(differences: Difference[]): string[] {
  return differences
    .flatMap(({ component, kind, item, destinationId, fields, changedMeanwhile }) => {
      const line = `${component} ${kind} ${item.sourceId ?? '-'} ${destinationId ?? '-'}${changedMeanwhile ? ' meanwhile' : ''}`
      return fields.length > 0 ? fields.map(({ path }) => `${line} ${path}`) : [line]
    })
    .sort()
}
