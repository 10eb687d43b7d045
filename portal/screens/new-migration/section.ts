import type { FieldProblem } from '../../ui/error-summary.tsx'
import type { Draft } from './draft.ts'

/** The properties of every section of the form. */
export interface SectionProps {
  draft: Draft
  onChange: (next: Partial<Draft>) => void
  problems: FieldProblem[]
}

export function problemAt(problems: FieldProblem[], field: string): string | undefined {
  return problems.find((problem) => problem.field === field)?.message
}
