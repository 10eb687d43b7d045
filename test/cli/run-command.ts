import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { vi } from 'vitest'
import { runCommand } from '../../cli/program.ts'
import { type Clock, systemClock } from '../../src/clock.ts'
import { readConfig } from '../../src/config.ts'
import type { RunOptions } from './run-program.ts'

/**
 * What `runProgram` does, in the process of the test: for stories about what a command does and says. One at a time.
 *
 * @param options with `columns`, the output is a terminal of that width.
 */
export async function runCommandHere(
  args: string[],
  {
    environment,
    input = '',
    columns,
    clock = systemClock,
  }: RunOptions & { columns?: number | undefined; clock?: Clock },
): Promise<{ code: number; output: string; errors: string }> {
  const [output, errors] = [new PassThrough(), new PassThrough()]
  const terminal = columns === undefined ? output : Object.assign(output, { isTTY: true, columns })
  // Where commands write their log.
  const log = vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => errors.write(chunk))
  let code = 0
  try {
    await runCommand(
      args,
      {
        config: () => readConfig(environment),
        environment,
        input: Readable.from([input]),
        output: terminal,
        clock,
        signal: new AbortController().signal,
        version: 'of the tests',
        exitWith: (asked) => {
          code = asked
        },
      },
      errors,
    )
  } finally {
    log.mockRestore()
  }
  output.end()
  errors.end()
  return { code, output: await text(output), errors: await text(errors) }
}
