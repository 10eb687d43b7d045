/**
 * Globs of the test files that a run of vitest leaves out. The scripts name them in STOREFERRY_LEFT_OUT; vitest does not apply
 * its own `--exclude` to projects with a list of their own.
 */
export function leftOut(): string[] {
  const { STOREFERRY_LONG, STOREFERRY_LEFT_OUT } = process.env
  return [...(STOREFERRY_LONG === '1' ? [] : ['**/*.long.test.ts']), ...JSON.parse(STOREFERRY_LEFT_OUT ?? '[]')]
}
