interface ReadAhead<Value> {
  /** Reading pauses when this much has been read and not yet been taken. */
  most: number
  sizeOf(value: Value): number
  /** Joins two values that were read one after the other; null if they must stay apart. */
  join(one: Value, next: Value): Value | null
}

/**
 * Keeps reading while the caller works. Values read in the meantime are joined where possible; the caller never waits
 * for more than the next one.
 */
export async function* readAhead<Value>(
  values: AsyncIterable<Value> | Iterable<Value>,
  { most, sizeOf, join }: ReadAhead<Value>,
): AsyncGenerator<Value> {
  const read: Value[] = []
  let isOver = false
  let change = Promise.withResolvers<void>()
  const changed = () => {
    change.resolve()
    change = Promise.withResolvers()
  }
  const size = () => read.reduce((sum, value) => sum + sizeOf(value), 0)
  const reading = async () => {
    for await (const value of values) {
      const last = read.at(-1)
      const joined = last === undefined ? null : join(last, value)
      if (joined === null) read.push(value)
      else read[read.length - 1] = joined
      changed()
      while (!isOver && size() >= most) await change.promise
      if (isOver) return
    }
  }
  const all = reading().finally(() => {
    isOver = true
    changed()
  })
  // Its error is thrown where it is awaited; without this it would go unhandled if the caller ended first.
  all.catch(() => undefined)
  try {
    for (;;) {
      const value = read.shift()
      if (value !== undefined) {
        changed()
        yield value
      } else if (isOver) break
      else await change.promise
    }
    await all
  } finally {
    isOver = true
    changed()
    await all.catch(() => undefined)
  }
}

/** One page is read in full while another is worked on. */
export const onePage = { most: 1, sizeOf: () => 1, join: () => null }
