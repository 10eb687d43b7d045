import { stripVTControlCharacters } from 'node:util'

/** The first test that failed, or the file that did not load, by what the test runner printed; undefined when it names none. */
export function firstFailure(output: string): string | undefined {
  return stripVTControlCharacters(output).match(/^ *FAIL +(?:\|\w+\| )?(.+)$/m)?.[1]
}
