/** Two, because that is what the smallest machine we build on has; more only makes each step slower. */
export async function twoAtATime<Item>(items: Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items]
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item)
  }
  await Promise.all([worker(), worker()])
}
