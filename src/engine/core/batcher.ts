import type { Component } from '../../entities/core/component.ts'

interface Waiting<Order, Done> {
  order: Order
  resolve: (done: Done) => void
  reject: (error: unknown) => void
}

/** How orders are grouped into calls. */
interface Filling<Order> {
  /** The most orders per call. */
  largest(component: Component): number
  /** Only orders with the same value share a call; absent: any do. */
  shared?(component: Component, order: Order): string | undefined
}

/** Collects orders of a component until a call is full; `flush` sends what is left. */
export class Batcher<Order, Done> {
  /** By component and the value that the orders of one call share. */
  private readonly waiting = new Map<string, { component: Component; orders: Waiting<Order, Done>[] }>()
  private readonly call: (component: Component, orders: Order[]) => Promise<Done[]>
  private readonly filling: Filling<Order>
  private abandoned: { reason: unknown } | undefined
  private sent = 0

  constructor(call: (component: Component, orders: Order[]) => Promise<Done[]>, filling: Filling<Order>) {
    this.call = call
    this.filling = filling
  }

  add(component: Component, order: Order): Promise<Done> {
    return new Promise((resolve, reject) => {
      if (this.abandoned) return reject(this.abandoned.reason)
      const { largest, shared } = this.filling
      const call = `${component.key}/${shared?.(component, order) ?? ''}`
      const orders = this.waiting.get(call)?.orders ?? []
      orders.push({ order, resolve, reject })
      this.waiting.set(call, { component, orders })
      if (orders.length >= largest(component)) this.send(call)
    })
  }

  /** Whether no call is waiting for its response. */
  get idle(): boolean {
    return this.sent === 0
  }

  flush(): void {
    for (const call of [...this.waiting.keys()]) this.send(call)
  }

  /** Rejects waiting and later orders, because nothing may be written any more. */
  abandon(reason: unknown): void {
    this.abandoned ??= { reason }
    for (const { orders } of this.waiting.values()) for (const { reject } of orders.splice(0)) reject(reason)
  }

  private send(call: string): void {
    const waiting = this.waiting.get(call)
    this.waiting.delete(call)
    if (!waiting || waiting.orders.length === 0) return
    const { component, orders } = waiting
    this.sent++
    this.call(
      component,
      orders.map(({ order }) => order),
    ).then(
      (done) => {
        this.sent--
        for (const [at, { resolve }] of orders.entries()) resolve(done[at] as Done)
      },
      (error: unknown) => {
        this.sent--
        for (const { reject } of orders) reject(error)
      },
    )
  }
}
