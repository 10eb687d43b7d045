import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take longest, by what suites print at their end. */
const slow = [
  'test/search/opensearch-kills.long.test.ts',
  'test/engine/dry-run-awkward.long.test.ts',
  'test/search/kills.long.test.ts',
  'test/portal/walk.test.ts',
  'test/engine/churn/churn.test.ts',
  'test/cli/demo.test.ts',
  'test/entities/entity-suite.test.ts',
  'test/kills/takeover.test.ts',
]

/** Starts the slowest files first, so that none of them is still running alone at the end. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isSlow = ({ moduleId }: TestSpecification) => slow.some((file) => moduleId.endsWith(file))
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
  }
}
