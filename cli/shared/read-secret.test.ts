import { PassThrough, Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import type { CommandLine } from './command-line.ts'
import { ask, readSecret } from './read-secret.ts'

const commandLine: CommandLine = {
  config: () => {
    throw new Error('A secret needs no setting.')
  },
  environment: {},
  input: new PassThrough(),
  output: new PassThrough(),
  clock: systemClock,
  signal: new AbortController().signal,
  version: 'of the tests',
  exitWith: () => {},
}

function read(input: string, environment: CommandLine['environment'] = {}): Promise<string> {
  const given = { ...commandLine, environment, input: Readable.from([input]) }
  return readSecret(given, { what: 'password', variable: 'STOREFERRY_PASSWORD' })
}

/** What is left of a question on the line of a terminal once it is answered: what came after the line was erased last. */
async function lineOf(question: string, { echo }: { echo: boolean }): Promise<string> {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const answered = ask({ ...commandLine, input, output }, question, { echo })
  input.write('Olive\n')
  expect(await answered).toBe('Olive')
  return String(output.read()).split('\x1b[0J').at(-1) ?? ''
}

test('a question stays in sight while it is answered, and a secret does not appear', async () => {
  expect(await lineOf('username', { echo: true })).toMatch(/^username: .*Olive/)
  expect(await lineOf('password', { echo: false })).toBe('password: \n')
})

test('line breaks at the end of a secret are not part of it', async () => {
  for (const ending of ['', '\n', '\r\n', '\n\n']) expect(await read(`a b ${ending}`)).toBe('a b ')
})

test('a secret of several lines, which cannot be typed, is refused', async () => {
  const refusal = 'The password has more than one line; give nothing else with it.'
  await expect(read('a password\na password\n')).rejects.toThrow(refusal)
  await expect(read('', { STOREFERRY_PASSWORD: 'a\r\nb' })).rejects.toThrow(refusal)
  await expect(read('\n')).rejects.toThrow('The password is missing')
})
