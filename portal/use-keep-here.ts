import { useBlocker } from '@tanstack/react-router'

/** Asks before the person leaves while something is shown that cannot be shown again. */
export function useKeepHere(isNeeded: boolean, question: string): void {
  useBlocker({
    shouldBlockFn: () => isNeeded && !window.confirm(question),
    enableBeforeUnload: () => isNeeded,
  })
}
