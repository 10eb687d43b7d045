import type { Entity } from '../../entities/core/entity.ts'
import type { RunContext } from '../context/context.ts'
import { Batcher } from '../core/batcher.ts'
import { WorkerPool } from '../core/worker-pool.ts'
import { openWriter } from '../dry-run/open-writer.ts'
import type { CreateRequest, Outcome, Updated, UpdateRequest, Writes } from '../send/writes.ts'

/**
 * How many items may wait for their batches, per slot. With more, a run would read further ahead of a slow destination
 * than memory allows (A6); with this many, one batch can fill while another is being sent.
 */
const parkedPerSlot = 10

/** Writes the items of many pages at a time. */
export interface Workers {
  readonly writer: Writes
  readonly creates: Batcher<CreateRequest, Outcome>
  readonly updates: Batcher<UpdateRequest, Updated>
  /** Runs a long wait without holding a slot. */
  park<T>(wait: () => Promise<T>): Promise<T>
  /** Starts the work as soon as a slot is free. */
  start(work: () => Promise<void>): Promise<void>
  /** Sends the batches that are not full, once every item that was started is in one. */
  flush(): Promise<void>
  /** Sends the batches that are not full and waits until every item has ended. */
  settle(): Promise<void>
  /** Runs the work. After a fault or a stop nothing new is sent, and calls in flight are recorded before this ends. */
  watch(work: () => Promise<void>): Promise<void>
}

/** @param alone sends every item in a call of its own */
export function openWorkers(context: RunContext, entity: Entity, { alone }: { alone: boolean }): Workers {
  const { readAhead, lease } = context
  const flush = () => {
    creates.flush()
    updates.flush()
  }
  const pool = new WorkerPool({
    slots: () => readAhead.roots,
    parked: () => Math.max(parkedPerSlot * readAhead.roots, 2 * largestBatch(entity)),
    saturated: () => {
      if (creates.idle && updates.idle) flush()
    },
  })
  const park = <T>(wait: () => Promise<T>) => pool.park(wait)
  const writer = openWriter(context, park)
  const creates = new Batcher<CreateRequest, Outcome>((component, requests) => writer.create(component, requests), {
    largest: ({ create }) => (alone ? 1 : (create?.batch ?? 1)),
    shared: ({ create }, request) => create?.together?.(request),
  })
  const updates = new Batcher<UpdateRequest, Updated>(
    (component, requests) => writer.updateTogether(component, requests),
    {
      largest: ({ update }) => (alone ? 1 : (update?.several?.batch ?? 1)),
      shared: ({ update }, request) => update?.several?.together?.(request),
    },
  )
  const abandon = (reason: unknown) => {
    creates.abandon(reason)
    updates.abandon(reason)
  }
  return {
    writer,
    creates,
    updates,
    park,
    start: (work) => pool.start(work),
    flush: async () => {
      await pool.quiet()
      flush()
    },
    settle: () => settle(pool, flush),
    watch: (work) => watch(pool, lease.stop, abandon, work),
  }
}

function largestBatch({ components }: Entity): number {
  return Math.max(...components.map(({ create, update }) => Math.max(create?.batch ?? 1, update?.several?.batch ?? 1)))
}

async function settle(pool: WorkerPool, flush: () => void): Promise<void> {
  for (;;) {
    await pool.quiet()
    pool.throwFault()
    if (pool.idle) return
    flush()
    await pool.change()
  }
}

async function watch(
  pool: WorkerPool,
  stopping: AbortSignal,
  abandon: (reason: unknown) => void,
  work: () => Promise<void>,
): Promise<void> {
  const stop = () => abandon(stopping.reason)
  stopping.addEventListener('abort', stop, { once: true })
  try {
    await work()
  } catch (error) {
    pool.fault(error)
    abandon(error)
    await pool.drain()
  } finally {
    stopping.removeEventListener('abort', stop)
  }
}
