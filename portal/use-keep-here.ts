import { useBlocker } from '@tanstack/react-router'

/** Asks for confirmation before the person leaves something that cannot be displayed again. */
export function useKeepHere(isNeeded: boolean, question: string): void {
  useBlocker({
    shouldBlockFn: () => isNeeded && !window.confirm(question),
    enableBeforeUnload: () => isNeeded,
  })
}
