import { expect } from 'vitest'
import { addCatalogueParts } from '../comparison/more-catalogue.ts'
import type { World, WorldOptions } from '../harness/world.ts'
import { likeTheBornOne, showTheme } from '../show-theme.ts'
import { expectWhole } from './expect-whole.ts'
import { inAWorld } from './in-a-world.ts'
import type { Subject } from './subject.ts'
import { plantSpareValue } from './subjects.ts'
import * as windows from './windows.ts'

/** A moment in the life of a write at which a process may die. */
export interface KillWindow {
  /** The title of its tests, without the component. */
  story: string
  /** @returns the run whose process was killed there. */
  kill(world: World, subject: Subject): Promise<string>
  requestTimeoutSeconds?: number
}

export const beforeSending: KillWindow = {
  story: 'B1: killed with an intent committed and nothing sent, a run loses nothing and creates nothing twice',
  kill: windows.killBeforeSending,
}
export const beforeTheAnswer: KillWindow = {
  story: 'B2: killed after the store applied a write and before it answered, a run creates nothing twice',
  kill: windows.killBeforeTheAnswer,
}
export const beforeTheCommit: KillWindow = {
  story: 'B1: killed with an answer received but not recorded, a run creates nothing twice',
  kill: windows.killBeforeTheCommit,
}
export const duringTheJob: KillWindow = {
  story: 'B2: killed while a job of the platform is under way, a run creates nothing twice',
  kill: windows.killDuringTheJob,
}
export const beforeTheCheckpoint: KillWindow = {
  story: 'E1: killed between a result and the checkpoint, a run loses nothing and creates nothing twice',
  kill: windows.killBeforeTheCheckpoint,
  requestTimeoutSeconds: 8,
}
export const duringHandOver: KillWindow = {
  story: 'A3: killed during a hand-over, a run loses nothing and creates nothing twice',
  kill: windows.killDuringHandOver,
}
export const whileDraining: KillWindow = {
  story: 'A4: killed while draining with an answer missing, a run creates nothing twice',
  kill: windows.killWhileDraining,
}
export const whileSettling: KillWindow = {
  story: 'B2: killed while it settles an unconfirmed write, a run creates nothing twice',
  kill: windows.killWhileSettling,
}

/**
 * Kills a run in the window of one component's write, and expects the copy of an undisturbed run.
 *
 * @param withTheme the source shows a theme that has to be copied.
 */
export async function expectWholeDespiteKill(
  { kill, requestTimeoutSeconds }: KillWindow,
  subject: Subject,
  { withTheme, ...options }: WorldOptions & { withTheme?: boolean },
): Promise<void> {
  await inAWorld({ requestTimeoutSeconds, ...options }, async (world) => {
    await plantSpareValue(world)
    await addCatalogueParts(world, 'source')
    if (withTheme) await showTheme(world, await likeTheBornOne(world))
    const run = await kill(world, subject)
    expect(await world.finished(run, { seconds: 300 })).toMatchObject({ status: 'completed', failuresOpen: 0 })
    await expectWhole(world, run)
  })
}
