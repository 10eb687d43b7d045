import type { Command } from 'commander'
import { type CommandLine, print } from '../shared/command-line.ts'
import { signedIn } from '../shared/signed-in.ts'

/** The fields of an issue that the terminal shows. */
interface ListedIssue {
  id: string
  severity: string
  state: string
  code: string
  component: string
  message: string
  remedy: string
  item: { sourceId: string; name: string | null }
}

interface Page {
  items: ListedIssue[]
  nextCursor: string | null
}

export function addIssues(program: Command, commandLine: CommandLine): void {
  program
    .command('issues')
    .description('list what went wrong in a migration, item by item, and what to do')
    .argument('<id>', 'the migration')
    .action((id: string) => listIssues(commandLine, id))
}

async function listIssues(commandLine: CommandLine, id: string): Promise<void> {
  const client = await signedIn(commandLine)
  const path = `/v2/migrations/${encodeURIComponent(id)}/issues`
  const byCode = new Map<string, number>()
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Page = await client.get(cursor ? `${path}?cursor=${encodeURIComponent(cursor)}` : path)
    for (const issue of page.items) {
      printIssue(commandLine, issue)
      byCode.set(issue.code, (byCode.get(issue.code) ?? 0) + 1)
    }
    cursor = page.nextCursor
  }
  print(commandLine, summaryOf(byCode))
}

/** One line for all of a kind: every order of a sold-out product is an issue of its own. */
function summaryOf(byCode: ReadonlyMap<string, number>): string {
  const kinds = [...byCode].sort(([, one], [, other]) => other - one).map(([code, count]) => `${count} ${code}`)
  return kinds.length === 0 ? 'No issues.' : `In all: ${kinds.join(', ')}.`
}

function printIssue(commandLine: CommandLine, issue: ListedIssue): void {
  const { id, severity, state, code, component, item } = issue
  const name = item.name ? ` "${printable(item.name)}"` : ''
  print(commandLine, `${severity} (${state}) ${code}: ${component} ${item.sourceId}${name} [${id}]`)
  print(commandLine, `  ${printable(issue.message)}`)
  print(commandLine, `  ${issue.remedy}`)
}

/** Store text may contain terminal control sequences; they are shown as question marks. */
function printable(text: string): string {
  return text.replace(/\p{Cc}|\p{Cf}/gu, '?')
}
