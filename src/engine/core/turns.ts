/** Runs work on the same keys one after another, in order, without holding up other work. */
export class Turns {
  private readonly last = new Map<string, Promise<void>>()

  /** @param wait called with the wait for earlier work, if there is any */
  async take<T>(keys: string[], wait: (before: () => Promise<unknown>) => Promise<unknown>, work: () => Promise<T>) {
    const before = [...new Set(keys.flatMap((key) => this.last.get(key) ?? []))]
    const own = Promise.withResolvers<void>()
    for (const key of keys) this.last.set(key, own.promise)
    try {
      if (before.length > 0) await wait(() => Promise.all(before))
      return await work()
    } finally {
      for (const key of keys) if (this.last.get(key) === own.promise) this.last.delete(key)
      own.resolve()
    }
  }
}
