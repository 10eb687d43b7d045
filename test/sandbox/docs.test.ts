import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import { expect, test } from 'vitest'
import { addSandbox } from '../../cli/commands/operator/sandbox.ts'
import type { CommandLine } from '../../cli/shared/command-line.ts'
import { Faults } from '../../sandbox/faults/faults.ts'
import { SENTINELS } from '../../sandbox/faults/sentinels.ts'
import { SEEDS } from '../../sandbox/seeds/plant-seed.ts'

const docs = await readFile(new URL('../../docs/sandbox.md', import.meta.url), 'utf8')

/** The kinds in the error message of a fault without one. */
function faultKinds(): string[] {
  const [, kinds = ''] = /one of (.*)$/.exec(String(new Faults(() => 0).add({}))) ?? []
  return kinds.split(', ')
}

function flags(): string[] {
  const program = new Command()
  // Only reads the description of the command; nothing runs.
  addSandbox(program, {} as CommandLine)
  return program.commands.flatMap((command) => command.options.map((option) => option.long ?? ''))
}

test.each([
  ['fault', faultKinds(), 13],
  ['sentinel', Object.keys(SENTINELS), 5],
  ['flag', flags(), 11],
  ['seed', SEEDS.filter((seed) => !seed.endsWith('-two-storefronts')), 6],
])('docs/sandbox.md describes every %s', (_what, names, atLeast) => {
  expect(names.length).toBeGreaterThanOrEqual(atLeast)
  expect(names.filter((name) => !docs.includes(`| \`${name}`) && !docs.includes(`, \`${name}`))).toEqual([])
})
