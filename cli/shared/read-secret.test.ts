import { PassThrough, Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import type { CommandLine } from './command-line.ts'
import { readSecret } from './read-secret.ts'

function read(input: string, environment: CommandLine['environment'] = {}): Promise<string> {
  const commandLine: CommandLine = {
    config: () => {
      throw new Error('A secret needs no setting.')
    },
    environment,
    input: Readable.from([input]),
    output: new PassThrough(),
    clock: systemClock,
    signal: new AbortController().signal,
    version: 'of the tests',
    exitWith: () => {},
  }
  return readSecret(commandLine, { what: 'password', variable: 'STOREFERRY_PASSWORD' })
}

test('line breaks at the end of a secret are not part of it', async () => {
  for (const ending of ['', '\n', '\r\n', '\n\n']) expect(await read(`a b ${ending}`)).toBe('a b ')
})

test('a secret of several lines, which cannot be typed, is refused', async () => {
  const refusal = 'The password has more than one line; give nothing else with it.'
  await expect(read('a password\na password\n')).rejects.toThrow(refusal)
  await expect(read('', { STOREFERRY_PASSWORD: 'a\r\nb' })).rejects.toThrow(refusal)
  await expect(read('\n')).rejects.toThrow('The password is missing')
})
