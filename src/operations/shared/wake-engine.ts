import type { Deps } from './operation.ts'

/** Notifies the engine that a run changed. If that fails, the request does not, because every host polls every 5 s. */
export function wakeEngine(deps: Pick<Deps, 'admit' | 'log'>): void {
  deps
    .admit()
    .catch((error: unknown) =>
      deps.log.warn({ err: error }, 'Could not wake the engine; it will notice the change by polling'),
    )
}
