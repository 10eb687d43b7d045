import { Presets, SingleBar } from 'cli-progress'
import type { Command } from 'commander'
import { type CommandLine, print } from '../../shared/command-line.ts'
import { counted } from '../../shared/numbers.ts'
import { administer, refuseSecondDatabase } from './administer.ts'

export function addReindex(program: Command, commandLine: CommandLine): void {
  program
    .command('reindex')
    .description('fill the search index of this installation again from its database')
    .addHelpText(
      'after',
      `
The service may run meanwhile and helps. Run it with the same STOREFERRY_DATA, or the same
DATABASE_URL and OPENSEARCH_URL, as the service.

Example:
  storeferry reindex`,
    )
    .action(() => reindex(commandLine))
}

async function reindex(commandLine: CommandLine): Promise<void> {
  const { databaseUrl, openSearch } = commandLine.config()
  if (databaseUrl !== undefined && !openSearch)
    throw new Error(
      'With DATABASE_URL and without OPENSEARCH_URL there is no search index: PostgreSQL answers every read.',
    )
  await refuseSecondDatabase(commandLine, 'where nothing was started yet, there is nothing to index')
  await administer(commandLine, async (administration) => {
    const display = commandLine.output.isTTY ? openBar(commandLine) : openLines(commandLine)
    const { signal } = commandLine
    const { runs, failed, removed } = await administration
      .reindex({ signal, onProgress: ({ done, total }) => display.show(done, total) })
      .finally(() => display.close())
    print(commandLine, `The search index is filled again: ${counted(runs, 'migration')}.`)
    if (removed > 0)
      print(commandLine, `Removed from it: ${counted(removed, 'migration')} that the database no longer has.`)
    if (failed === 0) return
    print(
      commandLine,
      `${counted(failed, 'migration')} could not be indexed; until the service has tried again, the database answers.`,
    )
    commandLine.exitWith(1)
  })
}

interface Display {
  show(done: number, total: number): void
  close(): void
}

function openBar({ output }: CommandLine): Display {
  // The library's type requires a Node stream; on a terminal, ours is standard output.
  const stream = output as NodeJS.WriteStream
  const format = '{bar} {value} of {total} migrations'
  const bar = new SingleBar({ format, stream, hideCursor: true, clearOnComplete: false }, Presets.shades_classic)
  bar.start(0, 0)
  return {
    show(done, total) {
      bar.setTotal(total)
      bar.update(done)
    },
    close: () => bar.stop(),
  }
}

/** Without a terminal, every batch would be a line in a log. */
const steps = 10

function openLines(commandLine: CommandLine): Display {
  let shown = 0
  return {
    show(done, total) {
      const step = total === 0 ? 0 : Math.floor((done / total) * steps)
      if (step > shown) print(commandLine, `${done} of ${counted(total, 'migration')}`)
      shown = Math.max(shown, step)
    },
    close: () => undefined,
  }
}
