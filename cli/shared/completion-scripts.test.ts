import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Argument, Command, Option } from 'commander'
import { expect, test } from 'vitest'
import { shells } from './completion-scripts.ts'

function aProgram(): Command {
  const program = new Command('storeferry').version('1')
  program
    .command('migrate')
    .description("copy one store’s things, the shop's")
    .option('--source <hash>', 'store')
    .addOption(new Option('--mode <mode>', 'what to do').choices(['full', 'dry-run']))
  program.command('export').addArgument(new Argument('<what>').choices(['issues', 'mappings']))
  const admin = program.command('admin').description('set up')
  admin.command('list').option('--json', 'for scripts')
  admin.command('remove').option('--organisation <name>', 'name')
  return program
}

/** What bash offers for the last word. */
async function offered(...words: string[]): Promise<string[]> {
  const line = ['storeferry', ...words].map((word) => `'${word}'`).join(' ')
  const script = `${shells.bash(aProgram())}\nCOMP_WORDS=(${line})\nCOMP_CWORD=${words.length}\n_storeferry\nprintf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', script])
  return stdout.split('\n').filter((word) => word !== '')
}

test.each([
  [['mi'], ['migrate']],
  [['migrate', '--s'], ['--source']],
  [
    ['migrate', '--mode', ''],
    ['full', 'dry-run'],
  ],
  [['migrate', '--mode', 'dry-run', '--so'], ['--source']],
  [['migrate', '--source', ''], []],
  [['export', 'x', 'm'], ['mappings']],
  [
    ['admin', ''],
    ['list', 'remove', '--help'],
  ],
  [['admin', 'list', '--j'], ['--json']],
  [['admin', 'remove', '--j'], []],
])('bash completes %j to %j', async (words, expected) => {
  expect(await offered(...words)).toEqual(expected)
})

test('zsh uses the completions of bash', () => {
  expect(shells.zsh(aProgram())).toMatch(/bashcompinit\n_storeferry\(\)/)
})

test('fish gets a line for each command and option, with quotes that do not end it', () => {
  const lines = shells.fish(aProgram()).split('\n')
  expect(lines).toContain(
    `complete -c storeferry -n '__fish_use_subcommand; and not __fish_seen_subcommand_from migrate export admin' -f -a migrate -d 'copy one store’s things, the shop\\'s'`,
  )
  expect(lines).toContain(
    `complete -c storeferry -n '__fish_seen_subcommand_from migrate' -l mode -x -a 'full dry-run' -d 'what to do'`,
  )
  expect(lines).toContain(
    `complete -c storeferry -n '__fish_seen_subcommand_from admin; and __fish_seen_subcommand_from list' -l json -f -d 'for scripts'`,
  )
})
