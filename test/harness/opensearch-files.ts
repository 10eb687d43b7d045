import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** A later version wants a later Java. */
export const version = '2.19.4'
/** A distribution without modules, and the module that has the tokenizer of trigrams. */
const parts = [
  ['org.opensearch.distribution.integ-test-zip', 'opensearch', 'zip'],
  ['org.opensearch.plugin', 'analysis-common', 'jar'],
] as const
export const [zip, analysis] = parts.map(([group, name, type]) =>
  join(homedir(), '.m2/repository', group.replaceAll('.', '/'), name, version, `${name}-${version}.${type}`),
) as [string, string]
const isHere = () => existsSync(zip) && existsSync(analysis)

/** Without a network, Maven would wait long. */
const mostMs = 180_000
const ran = (command: string, args: string[]) =>
  spawnSync(command, args, { stdio: 'ignore', timeout: mostMs }).status === 0
const hasJava = () => ran('java', ['-version'])

/** Why tests with a real OpenSearch are skipped, as part of their title; undefined if there is one. */
export function missingOpenSearch(): string | undefined {
  if (process.env.OPENSEARCH_URL || (isHere() && hasJava())) return undefined
  return 'with OpenSearch: install Java 17 and Maven, or name a server in OPENSEARCH_URL'
}

/** Brings OpenSearch from Maven Central where Java and Maven are installed. Does nothing anywhere else. */
export function downloadOpenSearch(): void {
  if (process.env.OPENSEARCH_URL || isHere() || !hasJava() || !ran('mvn', ['--version'])) return
  console.log(`Downloading OpenSearch ${version} for the tests of the search index.`)
  for (const [group, name, type] of parts)
    ran('mvn', ['-q', '-B', 'dependency:get', `-Dartifact=${group}:${name}:${version}:${type}`, '-Dtransitive=false'])
  if (!isHere()) console.log('OpenSearch could not be downloaded.')
}
