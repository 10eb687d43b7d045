import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type Clock, systemClock } from '../../src/clock.ts'
import { startWorld, type World } from '../harness/world.ts'
import { runCommandHere } from './run-command.ts'

/** Two stores, a service, and an owner who has signed in from the command line. */
export interface SignedInWorld {
  world: World
  /** Where sign-ins are kept. */
  environment: Record<string, string>
  pair: string[]
  /** Runs a command that has to end with the code; @returns what it printed. */
  storeferry(args: string[], given?: Given): Promise<string>
  /** Runs a command that has to fail; @returns the error. */
  refused(args: string[], given?: Given): Promise<string>
  stop(): Promise<void>
}

interface Given {
  code?: number
  /** As on a terminal of that width. */
  columns?: number
  environment?: Record<string, string>
  input?: string
}

/** Asks how a migration is going ten times as often: these runs take less than the usual pause. */
const hastyClock: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / 10, signal) }

export async function aSignedInWorld(entities: string[]): Promise<SignedInWorld> {
  const world = await startWorld({ entities })
  const home = await mkdtemp(join(tmpdir(), 'sf-'))
  const environment = { HOME: home, STOREFERRY_URL: world.url }
  const run = (args: string[], { columns, input, ...given }: Given) =>
    runCommandHere(args, { environment: { ...environment, ...given.environment }, columns, input, clock: hastyClock })
  const storeferry = async (args: string[], given: Given = {}) => {
    const { code, output, errors } = await run(args, given)
    expect({ errors, code }).toEqual({ errors: '', code: given.code ?? 0 })
    return output
  }
  const refused = async (args: string[], given: Given = {}) => {
    const { code, output, errors } = await run(args, given)
    expect(code).toBe(1)
    expect(output).toBe('')
    return errors
  }
  await storeferry(loginOf(world), { input: world.identity.client_secret })
  const pair = ['--source', world.address('source').hash, '--destination', world.address('destination').hash]
  return {
    world,
    environment,
    pair,
    storeferry,
    refused,
    async stop() {
      await world.stop()
      await rm(home, { recursive: true })
    },
  }
}

export function loginOf({ identity }: World): string[] {
  const { username, email, organization_name: organization, client_id: clientId } = identity
  return [
    ...['login', '--username', username, '--email', email],
    ...['--organization', organization, '--client-id', clientId, '--secret-stdin'],
  ]
}
