import type { Deps } from './operation.ts'

/** Tells the engine that a run changed. Its failure is no failure of the request: every host looks for itself every 5 s. */
export function wakeEngine(deps: Pick<Deps, 'admit' | 'log'>): void {
  deps
    .admit()
    .catch((error: unknown) => deps.log.warn({ err: error }, 'The engine could not be woken; it will look itself.'))
}
