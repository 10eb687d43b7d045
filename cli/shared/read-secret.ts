import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { CommandLine } from './command-line.ts'

interface SecretPrompt {
  /** Name in the prompt and the error. */
  what: string
  /** Environment variable that may contain it. */
  variable: string
  /** Read it from standard input even if that is a terminal. */
  fromInput?: boolean
}

/**
 * Reads a secret from the environment, standard input, or the terminal without echo, but never from an argument (S20).
 *
 * @throws when it is empty, or has more than one line, which cannot be typed
 */
export async function readSecret(commandLine: CommandLine, prompt: SecretPrompt): Promise<string> {
  const secret = (await readRaw(commandLine, prompt)).replace(/[\r\n]+$/, '')
  if (/[\r\n]/.test(secret)) throw new Error(`The ${prompt.what} has more than one line; give nothing else with it.`)
  if (secret) return secret
  throw new Error(`The ${prompt.what} is missing: type it, pipe it to standard input, or set ${prompt.variable}.`)
}

async function readRaw(commandLine: CommandLine, { what, variable, fromInput }: SecretPrompt): Promise<string> {
  const { environment, input } = commandLine
  if (!fromInput && environment[variable]) return environment[variable]
  if (fromInput || !input.isTTY) return text(input)
  return ask(commandLine, what, { echo: false })
}

/** Asks on the terminal. */
export async function ask(commandLine: CommandLine, what: string, { echo }: { echo: boolean }): Promise<string> {
  const { input, output, signal } = commandLine
  // Readline erases the line before it shows its own question, so only beside the silent one is it written here.
  if (!echo) output.write(`${what}: `)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const questions = createInterface({ input, output: echo ? output : silent, terminal: true })
  try {
    return await questions.question(`${what}: `, { signal })
  } finally {
    questions.close()
    if (!echo) output.write('\n')
  }
}
