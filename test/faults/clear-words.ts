import { expect } from 'vitest'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import type { MigrationRequest } from '../../src/contract/migration-request.ts'
import { type Ferry, organisation } from './ferry.ts'

/** One line of our own, never a stack trace. */
const oneLine = /^storeferry: [^\n]+\n$/

/** Steps that the tests of messages repeat. */
export function wordsOf(ferry: Ferry) {
  async function migrate(destination: string, more: object = {}): Promise<string> {
    const request = { source: 'source', destination, ...more }
    const { status, body } = await ferry.api<MigrationDetail>('POST', '/v2/migrations', request)
    expect(status).toBe(202)
    return body.requestId
  }

  function connect(store: string, { hash = store, token = ferry.sandbox.stores[store]?.token } = {}) {
    const args = ['admin', 'connect-store', '--organisation', organisation, '--hash', hash, '--token-stdin']
    return ferry.storeferry(args, { input: token })
  }

  async function failureOf(id: string) {
    const { status, body } = await ferry.api<MigrationRequest>('GET', `/v2/migrations/${id}/request`)
    expect(status).toBe(200)
    return body.failure
  }

  async function refused(started: ReturnType<Ferry['storeferry']>): Promise<string> {
    const { code, errors } = await started
    expect(errors).toMatch(oneLine)
    expect(code).toBe(1)
    return errors
  }

  return { migrate, connect, failureOf, refused }
}
