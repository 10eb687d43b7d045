import { type RouterHistory, useLocation, useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Set by a link that opens something above its own screen. */
    isOpened?: boolean
    /** Set by something without an address of its own that is, or was, open above its screen. */
    isLayer?: boolean
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

/** What is open above the screen without an address of its own. */
const layers = new Set<{ index: number; close: () => void }>()

/** The back button closes this, such as a menu or a question, instead of leaving the screen. */
export function useLayer(onClose: () => void): void {
  const router = useRouter()
  const latest = useRef(onClose)
  useEffect(() => {
    latest.current = onClose
  })
  useEffect(() => {
    const { href, state } = router.history.location
    const at = state.__TSR_index
    // The entry of one that was closed by its button is still there.
    const isFree = state.isLayer && [...layers].every(({ index }) => index !== at)
    const layer = { index: isFree ? at : at + 1, close: () => latest.current() }
    layers.add(layer)
    if (!isFree) router.navigate({ href, resetScroll: false, state: (before) => ({ ...before, isLayer: true }) })
    return () => void layers.delete(layer)
  }, [router])
}

/** Goes on past the entry that is below one of a layer which was closed otherwise: it is the same screen. */
export function closeLayersOnBack(history: RouterHistory): void {
  let here = history.location
  history.subscribe(({ location, action: { type } }) => {
    const left = here
    here = location
    if (type !== 'BACK' && type !== 'GO') return
    const closed = [...layers].filter(({ index }) => index > location.state.__TSR_index)
    for (const { close } of closed) close()
    // Filters that were chosen in the layer stay.
    const isBelow = location.state.__TSR_index === left.state.__TSR_index - 1
    if (closed.length > 0 && isBelow && location.href !== left.href) history.replace(left.href, location.state)
    if (type === 'BACK' && closed.length === 0 && left.state.isLayer) history.back()
  })
}
