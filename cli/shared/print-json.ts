import { type CommandLine, print } from './command-line.ts'

/** For scripts: one document, as the API returned it. */
export function printJson(commandLine: CommandLine, answer: unknown): void {
  print(commandLine, JSON.stringify(answer, null, 2))
}
