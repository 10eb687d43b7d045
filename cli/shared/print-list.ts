import { once } from 'node:events'
import { type CommandLine, print } from './command-line.ts'
import { everyItem, type Query, type ServiceClient } from './service-client.ts'

/** An array with one item per line, so that a list of any length is printed while it is read. */
export async function printJsonList(
  commandLine: CommandLine,
  client: ServiceClient,
  path: string,
  query: Query,
): Promise<void> {
  let before = '['
  for await (const item of everyItem(client, path, query)) {
    await write(commandLine, `${before}\n${JSON.stringify(item)}`)
    before = ','
  }
  print(commandLine, before === '[' ? '[]' : '\n]')
}

/** What to print for an empty list. With filters, there may be others. */
export function nothingFound(things: string, filters: Query): string {
  return Object.values(filters).some((value) => value !== undefined) ? `No ${things} match.` : `No ${things}.`
}

/** A list as the API exports it to a file. */
export async function printFile(
  commandLine: CommandLine,
  client: ServiceClient,
  path: string,
  query: Query,
): Promise<void> {
  for await (const chunk of client.file(path, query)) await write(commandLine, chunk)
}

/** Waits for a slow reader, so that a long list is never held in memory. */
async function write({ output, signal }: CommandLine, chunk: string | Uint8Array): Promise<void> {
  signal.throwIfAborted()
  if (!output.write(chunk)) await once(output, 'drain', { signal })
}
