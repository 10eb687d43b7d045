import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { keepFocus } from './dialog.tsx'
import { EmptyNote } from './notice.tsx'

/**
 * For an empty list of the screen at this address. The focus, which would be lost with the link, goes to the title.
 *
 * @param keep what is no filter, such as which of several lists is open
 */
export function ClearFilters({ keep = {} }: { keep?: object }) {
  useEffect(() => () => void setTimeout(keepFocus), [])
  return (
    // The router does not know which screen this is on, whose search it would check.
    <Link to="." search={keep as never} replace>
      Clear filters
    </Link>
  )
}

/** For an empty list of a migration, which may only be empty because of its filters. */
export function NothingHere({ isFiltered, none, ...rest }: { isFiltered: boolean; none: string; keep?: object }) {
  return isFiltered ? (
    <EmptyNote title="Nothing matches" action={<ClearFilters {...rest} />} />
  ) : (
    <EmptyNote title={none} />
  )
}
