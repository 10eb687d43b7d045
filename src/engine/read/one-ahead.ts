/**
 * Gives what is read, and reads the next while the caller works with the one before. One is enough where reading takes less time than
 * the work, and each more is one more page in memory (A6).
 */
export async function* oneAhead<Value>(values: AsyncIterable<Value> | Iterable<Value>): AsyncGenerator<Value> {
  const iterator = (async function* () {
    yield* values
  })()
  const read = () => {
    const next = iterator.next()
    // Its error is thrown where it is awaited, unless the caller ends before that.
    next.catch(() => undefined)
    return next
  }
  let next = read()
  try {
    for (;;) {
      const { done, value } = await next
      if (done) return
      next = read()
      yield value
    }
  } finally {
    await next.catch(() => undefined)
    await iterator.return(undefined)
  }
}
