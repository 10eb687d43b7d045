import { type ObservedCall, StoreClient } from '../../bigcommerce/client.ts'
import { Governor } from '../../bigcommerce/governor.ts'
import { recordAnswers } from '../../bigcommerce/record-answers.ts'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../db/core/database.ts'
import { leaveShops, renewShares, reportUsedUp, usedUpMs } from '../../db/runs/quota-shares.ts'
import { addCalls } from '../../db/runs/run-life.ts'
import type { WorkDone } from '../../model/work-done.ts'
import { createDatabaseSlots } from '../core/database-slots.ts'
import type { StartMessage } from '../core/messages.ts'
import { CallCounter } from './call-counter.ts'
import type { RunSteps } from './run-steps.ts'

/** The clients of both stores, each limited to the run's quota claim. */
export interface StoreConnections {
  source: StoreClient
  destination: StoreClient
  flushCalls(): Promise<void>
  /** Renews the quota claims, and exchanges calls and used-up quotas with other processes (E4). */
  renewClaims(): Promise<void>
  /** Delays the first call to a store whose quota other processes have used up. */
  holdFirstCalls(): Promise<void>
  close(): Promise<void>
}

export function connectStores(
  start: StartMessage,
  { database, clock, onWork }: { database: Database; clock: Clock; onWork?(work: WorkDone): void },
  steps?: RunSteps,
): StoreConnections {
  const consumer = `run ${start.run.id} ${start.run.epoch}`
  const hashes = [start.source.hash, start.destination.hash]
  const claims = new Map<string, number>()
  const calls = new CallCounter()
  const governors = new Map<string, Governor>()
  const onAnswer = start.recordDirectory === undefined ? undefined : recordAnswers(start.recordDirectory, clock)
  const open = (side: 'source' | 'destination') => {
    const { hash, token } = start[side]
    const slots = createDatabaseSlots({ database, clock, storeHash: hash, consumer })
    const governor = new Governor({ clock, reserve: start.quotaReserve, claims: () => claims.get(hash) ?? 1, slots })
    governors.set(hash, governor)
    const connection = {
      apiUrl: start.bigcommerceApiUrl,
      hash,
      token,
      // Whatever goes wrong, only a run that copies can write (D7).
      readOnly: side === 'source' || start.run.mode !== 'full',
      requestTimeoutMs: start.requestTimeoutMs,
    }
    const onCall = (call: ObservedCall) => {
      calls.observe(side, call)
      steps?.called(side, call)
    }
    return new StoreClient(connection, governor, { clock, onAnswer, onCall })
  }
  const source = open('source')
  const destination = open('destination')
  const flushCalls = async () => {
    const taken = calls.take()
    onWork?.({ calls: taken.map(({ latencyMs: _, ...numbers }) => numbers), items: {} })
    await addCalls(database, start.run.id, taken)
  }
  const recentCalls = () => new Map([...governors].map(([hash, governor]) => [hash, governor.recentCalls]))
  return {
    source,
    destination,
    flushCalls,
    renewClaims: async () => {
      for (const [hash, share] of await renewShares(database, recentCalls(), consumer)) {
        claims.set(hash, share.claims)
        governors.get(hash)?.adoptOthers(share.others)
      }
      await reportUsedUp(database, new Map([...governors].map(([hash, governor]) => [hash, governor.usedUpMs])))
    },
    holdFirstCalls: async () => {
      for (const [hash, ms] of await usedUpMs(database, hashes)) governors.get(hash)?.holdFirstCall(ms)
    },
    close: async () => {
      await Promise.allSettled([flushCalls(), leaveShops(database, recentCalls(), consumer)])
      await Promise.allSettled([source.close(), destination.close()])
    },
  }
}
