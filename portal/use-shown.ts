import { useDeferredValue } from 'react'

/**
 * What a list shows: the last search until the next one is loaded, so that the control which changed it stays, with its focus. Controls
 * follow the search itself; rows, their columns, caption, empty note and pager follow this one.
 */
export const useShown = <Search>(search: Search): Search => useDeferredValue(search)
