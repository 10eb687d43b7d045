import { useLocation, useRouter } from '@tanstack/react-router'
import { useRef } from 'react'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Set by a link that opens something above its own screen. */
    isOpened?: boolean
  }
}

/** Of such a link: the list below stays where it is. */
export const opens = { state: { isOpened: true }, resetScroll: false } as const

/**
 * Closes what the address names and is open above its screen, as the back button does, so that what was closed is
 * not behind the screen. An address that was opened by itself has nothing to go back to.
 *
 * @param closeHere goes to the address without what is open
 */
export function useCloseOpened(closeHere: () => unknown): () => void {
  const { history } = useRouter()
  const location = useLocation()
  const closed = useRef<unknown>(undefined)
  return () => {
    // The address changes a moment later. Until then, a second Escape would leave the screen.
    if (closed.current === location) return
    closed.current = location
    if (location.state.isOpened) history.back()
    else closeHere()
  }
}
