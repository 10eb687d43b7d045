import { useBlocker } from '@tanstack/react-router'

/** Asks for confirmation before the person leaves something that cannot be displayed again. */
export function useKeepHere(isNeeded: boolean, question: string): void {
  useBlocker({
    // A filter or another page of a list on the same screen leaves it where it is.
    shouldBlockFn: ({ current, next }) => isNeeded && current.pathname !== next.pathname && !window.confirm(question),
    enableBeforeUnload: () => isNeeded,
  })
}
