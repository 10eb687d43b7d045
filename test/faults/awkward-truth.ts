import { specs } from '../entities/specs/all-specs.ts'
import type { Truth } from './truth.ts'

export const awkwardTruth: Truth = {
  failures: specs.flatMap(({ awkward }) => awkward?.failures ?? []).sort(),
  findings: specs.flatMap(({ awkward }) => awkward?.findings ?? []).sort(),
}
