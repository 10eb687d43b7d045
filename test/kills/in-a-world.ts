import { startWorld, type World, type WorldOptions } from '../harness/world.ts'

/** Worlds of one test file at a time. They mostly wait; more of them would compete for the processor. */
const mostAtOnce = 3
let atOnce = 0
const waiting: (() => void)[] = []

/** Runs a test in a world of its own, whose runs have a separate host process unless the options say otherwise. */
export async function inAWorld(options: WorldOptions, story: (world: World) => Promise<void>): Promise<void> {
  if (atOnce === mostAtOnce) await new Promise<void>((resolve) => waiting.push(resolve))
  else atOnce++
  try {
    await run(options, story)
  } finally {
    const next = waiting.shift()
    if (next) next()
    else atOnce--
  }
}

async function run(options: WorldOptions, story: (world: World) => Promise<void>): Promise<void> {
  const world = await startWorld({ separateHost: true, ...options })
  try {
    await story(world)
  } finally {
    await world.stop()
  }
}
