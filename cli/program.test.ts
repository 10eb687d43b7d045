import { readFile } from 'node:fs/promises'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { systemClock } from '../src/clock.ts'
import { conflictStrategies, modes } from '../src/contract/modes.ts'
import { programOf, runCommand } from './program.ts'
import type { CommandLine } from './shared/command-line.ts'
import { shells } from './shared/completion-scripts.ts'
import { commands } from './shared/remedies-as-commands.ts'

function aCommandLine(output: PassThrough, columns?: number): CommandLine {
  return {
    config: () => {
      throw new Error('Help needs no settings.')
    },
    environment: {},
    input: new PassThrough(),
    output: Object.assign(output, columns === undefined ? {} : { isTTY: true, columns }),
    clock: systemClock,
    signal: new AbortController().signal,
    version: 'of the tests',
    exitWith: () => undefined,
  }
}

async function helpOf(path: string[], columns?: number): Promise<string> {
  const [output, errors] = [new PassThrough(), new PassThrough()]
  await runCommand([...path, '--help'], aCommandLine(output, columns), errors)
  output.end()
  return text(output)
}

const program = programOf(aCommandLine(new PassThrough()), new PassThrough())
const paths = program.commands.flatMap((command) => [
  [command.name()],
  ...command.commands.map((child) => [command.name(), child.name()]),
])

test.each(
  paths.map((path) => [path.join(' '), path] as const),
)('%s --help teaches by an example', async (name, path) => {
  expect(await helpOf(path)).toMatch(new RegExp(`^Examples?:\\n(  .*\\n)*?  .*storeferry ${name}\\b`, 'm'))
})

test('migrate --help says what each mode and strategy does, and where the keys of entities are', async () => {
  const help = await helpOf(['migrate'])
  for (const one of [...modes, ...conflictStrategies]) expect(help).toMatch(new RegExp(`^  ${one} +[a-z].+$`, 'm'))
  expect(help).toMatch(/--entities <keys> .*storeferry entities/)
})

test('docs/commands.md names the commands for migrations that have no --json, and every filter of list', async () => {
  const page = await readFile(new URL('../docs/commands.md', import.meta.url), 'utf8')
  const [, section = ''] = page.match(/^## Migrating\n(.*?)^## /ms) ?? []
  const named = new Set([...section.matchAll(/^\| `storeferry (\S+?)[ `]/gm)].map(([, name]) => name))
  const optionsOf = (name: string | undefined) =>
    program.commands.find((command) => command.name() === name)?.options.map(({ long }) => long) ?? []
  const without = [...named].filter((name) => !optionsOf(name).includes('--json'))
  const [, said = ''] = section.match(/has `--json`, except (.*?):/) ?? []
  expect([...said.matchAll(/`(\S+)`/g)].map(([, name]) => name).sort()).toEqual(without.sort())
  const [list = ''] = section.match(/^\| `storeferry list`.*$/m) ?? []
  const paging = ['--profile', '--json', '--limit', '--cursor']
  expect(optionsOf('list').filter((option) => !paging.includes(option ?? '') && !list.includes(`\`${option}`))).toEqual(
    [],
  )
})

test('--help lists the exit codes', async () => {
  const help = await helpOf([], 80)
  expect(help).toMatch(/^ {2}4 {4}the followed migration ended with open failures/m)
})

test.each([
  [['status'], `missing required argument 'id'. See "storeferry status --help".`],
  [['migrate'], `required option '--source <hash>' not specified. See "storeferry migrate --help".`],
  [['admin', 'list', '--all'], `unknown option '--all'. See "storeferry admin list --help".`],
  [['stauts'], `unknown command 'stauts' (Did you mean status?) See "storeferry --help".`],
  [['help', 'stauts'], `unknown command 'stauts' (Did you mean status?) See "storeferry --help".`],
  [['stauts', '--help'], `unknown command 'stauts' (Did you mean status?) See "storeferry --help".`],
  [['admin', 'help', 'nothing'], `unknown command 'nothing'. See "storeferry admin --help".`],
])('a command that was typed wrongly says so in one line, with where its help is: %s', async (argv, message) => {
  const errors = new PassThrough()
  await runCommand(argv, aCommandLine(new PassThrough()), errors)
  errors.end()
  expect(await text(errors)).toBe(`storeferry: ${message}\n`)
})

test('help shows what was asked for: all commands, or one', async () => {
  const shown = async (...argv: string[]) => {
    const output = new PassThrough()
    await runCommand(argv, aCommandLine(output), new PassThrough())
    output.end()
    return text(output)
  }
  expect(await shown('help')).toBe(await helpOf([]))
  expect(await shown('help', 'status')).toBe(await helpOf(['status']))
  expect(await shown('admin', 'help', 'list')).toBe(await helpOf(['admin', 'list']))
})

test.each([
  [
    'a full disk',
    'ENOSPC',
    1,
    'storeferry: The output cannot be written (ENOSPC): make room for it, then run the command again.\n',
  ],
  ['a reader that has seen enough', 'EPIPE', 141, null],
])('an output that cannot be written because of %s ends the command accordingly', async (_, code, expected, message) => {
  const [output, errors] = [new PassThrough(), new PassThrough()]
  const exits: number[] = []
  const commandLine = { ...aCommandLine(output), exitWith: (exit: number) => void exits.push(exit) }
  output.write = () => {
    output.destroy(Object.assign(new Error('Not written.'), { code }))
    return false
  }
  await runCommand(['completion', 'bash'], commandLine, errors)
  await new Promise(setImmediate)
  expect([exits.at(-1), errors.read()?.toString() ?? null]).toEqual([expected, message])
})

test.each([
  'ENOSPC',
  'EDQUOT',
])('a file that is cut short by a full disk (%s) is an error with its remedy', async (code) => {
  const [output, errors] = [new PassThrough(), new PassThrough()]
  output.write = () => {
    // As Node reports it, without the file.
    throw Object.assign(new Error(`${code}: no space left on device, write`), { code, syscall: 'write' })
  }
  await runCommand(['completion', 'bash'], aCommandLine(output), errors)
  expect(errors.read()?.toString()).toBe(
    `storeferry: The disk is full (${code}): make room, then run the command again.\n`,
  )
})

test('Ctrl-C at the question for a secret ends with 130 and without a word, like anywhere else', async () => {
  const [input, output, errors] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const exits: number[] = []
  const commandLine = {
    ...aCommandLine(output),
    config: () => ({ siteUrl: 'http://localhost:3000' }) as ReturnType<CommandLine['config']>,
    environment: { HOME: '/nowhere' },
    input: Object.assign(input, { isTTY: true }),
    exitWith: (exit: number) => void exits.push(exit),
  }
  output.on('data', (text) => String(text).startsWith('client secret') && input.write('\x03'))
  const values = ['--username', 'Olive', '--email', 'olive@shop.example', '--organization', 'Reed', '--client-id', 'x']
  await runCommand(['login', ...values], commandLine, errors)
  expect([exits, errors.read()]).toEqual([[130], null])
})

test('shells complete the statuses and orders of list', () => {
  const script = shells.bash(program)
  expect(script).toContain("'list --status') words='queued in_progress paused ")
  expect(script).toContain("'list --sort') words='created updated duration failures'")
})

test('the commands that stand for routes of the API exist', () => {
  const names = paths.map((path) => path.join(' '))
  for (const command of Object.values(commands)) expect(names).toContain(command.split(' ')[1])
})
