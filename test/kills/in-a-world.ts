import { startWorld, type World, type WorldOptions } from '../harness/world.ts'

/** Worlds of one test file at a time. They mostly wait; more of them would take the processor from each other. */
const mostAtOnce = 3
let atOnce = 0
const waiting: (() => void)[] = []

/** Tells a story in a world of its own, whose runs are worked on in a host process of their own. */
export async function inAWorld(options: WorldOptions, story: (world: World) => Promise<void>): Promise<void> {
  if (atOnce === mostAtOnce) await new Promise<void>((resolve) => waiting.push(resolve))
  else atOnce++
  try {
    await tell(options, story)
  } finally {
    const next = waiting.shift()
    if (next) next()
    else atOnce--
  }
}

async function tell(options: WorldOptions, story: (world: World) => Promise<void>): Promise<void> {
  const world = await startWorld({ separateHost: true, ...options })
  try {
    await story(world)
  } finally {
    await world.stop()
  }
}
