import type { Reporter, SerializedError, TestCase, TestModule, TestRunEndReason, TestSuite, Vitest } from 'vitest/node'

/** What one test file came to. */
export interface FileResult {
  /** Path from the root of the project. */
  file: string
  seconds: number
  passed: number
  /** A file that failed without a failed test (it did not load, a hook threw) counts as one. */
  failed: number
  skipped: number
  /** Titles of what the file itself skips, outermost first and once each; by our convention they say what is missing. */
  missing: string[]
}

export type ReporterMessage = { result: FileResult } | { ended: true; errorsOutside: number }

/** Reports the result of each file to the process that started vitest, and ends with that process. */
export default class FileReporter implements Reporter {
  #vitest: Vitest | undefined
  readonly #results = new Map<TestModule, FileResult>()

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
    process.once('disconnect', () => process.exit(1))
    process.channel?.unref()
  }

  onTestModuleEnd(module: TestModule): void {
    this.#report(module, this.#resultOf(module))
    this.#failLate()
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[], reason: TestRunEndReason): void {
    this.#failLate()
    // A file that has not ended by now has died; with `--bail` it never began.
    const died = reason === 'interrupted' ? [] : modules.filter((module) => !this.#results.has(module))
    for (const module of died) this.#report(module, { ...this.#resultOf(module), failed: 1 })
    // The error about a worker that died does not name the file.
    const nowhere = died.length > 0 ? [] : errors.filter((error) => error.VITEST_TEST_PATH === undefined)
    send({ ended: true, errorsOutside: nowhere.length })
  }

  /** An error that a file left behind may come after its end. */
  #failLate(): void {
    // Vitest does not type them here; at the end of the run they are `SerializedError`.
    const errors = (this.#vitest?.state.getUnhandledErrors() ?? []) as SerializedError[]
    for (const [module, result] of this.#results) {
      const left = errors.some((error) => error.VITEST_TEST_PATH === module.moduleId)
      if (left && result.failed === 0) this.#report(module, { ...result, failed: 1 })
    }
  }

  #report(module: TestModule, result: FileResult): void {
    this.#results.set(module, result)
    send({ result })
  }

  #resultOf(module: TestModule): FileResult {
    const tests = [...module.children.allTests()]
    const count = (state: string) => tests.filter((test) => test.result().state === state).length
    // A run of tests with a certain title leaves out all others; nothing is missing for those.
    const byTitle = this.#vitest?.getGlobalTestNamePattern() !== undefined
    const leftOut = byTitle ? [] : tests.filter(({ options }) => options.mode !== 'run')
    const { duration, collectDuration, setupDuration, prepareDuration } = module.diagnostic()
    return {
      file: module.relativeModuleId,
      seconds: (duration + collectDuration + setupDuration + prepareDuration) / 1000,
      passed: count('passed'),
      failed: count('failed') || (module.ok() ? 0 : 1),
      skipped: count('skipped'),
      missing: [...new Set(leftOut.map(outermostTitle))],
    }
  }
}

function send(message: ReporterMessage): void {
  process.send?.(message)
}

function outermostTitle(test: TestCase): string {
  let outermost: TestCase | TestSuite = test
  while (outermost.parent.type === 'suite') outermost = outermost.parent
  return outermost.name
}
