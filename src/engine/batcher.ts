import type { Component } from '../entities/define.ts'
import type { Order, Outcome, Writes } from './writer.ts'

interface Waiting {
  order: Order
  resolve: (outcome: Outcome) => void
  reject: (error: unknown) => void
}

/** Collects orders of a component until a call is full; `flush` sends what is left. */
export class Batcher {
  /** By component, and by what the items of one of its calls share. */
  private readonly waiting = new Map<string, { component: Component; orders: Waiting[] }>()
  private readonly writer: Writes
  private readonly alone: boolean
  private abandoned: { reason: unknown } | undefined

  /** `alone`: every order is a call of its own, whatever others wait. */
  constructor(writer: Writes, { alone = false } = {}) {
    this.writer = writer
    this.alone = alone
  }

  add(component: Component, order: Order): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      if (this.abandoned) return reject(this.abandoned.reason)
      const call = `${component.key}/${component.create?.together?.(order) ?? ''}`
      const orders = this.waiting.get(call)?.orders ?? []
      orders.push({ order, resolve, reject })
      this.waiting.set(call, { component, orders })
      if (this.alone || orders.length >= (component.create?.batch ?? 1)) this.send(call)
    })
  }

  flush(): void {
    for (const call of [...this.waiting.keys()]) this.send(call)
  }

  /** Nothing may be written any more: whoever waits is told so, and whoever comes later, because nobody flushes for them. */
  abandon(reason: unknown): void {
    this.abandoned ??= { reason }
    for (const { orders } of this.waiting.values()) for (const { reject } of orders.splice(0)) reject(reason)
  }

  private send(call: string): void {
    const waiting = this.waiting.get(call)
    this.waiting.delete(call)
    if (!waiting || waiting.orders.length === 0) return
    const { component, orders } = waiting
    this.writer
      .create(
        component,
        orders.map(({ order }) => order),
      )
      .then(
        (outcomes) => {
          for (const [at, { resolve }] of orders.entries()) resolve(outcomes[at] as Outcome)
        },
        (error: unknown) => {
          for (const { reject } of orders) reject(error)
        },
      )
  }
}
