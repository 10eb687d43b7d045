import { Link, type LinkProps } from '@tanstack/react-router'
import { wholeNumber } from '../../format/number.ts'

interface Shelf {
  key: string
  words: string
  isOpen: boolean
  count?: number | undefined
  /** Makes it stand out from the others while something is on it. */
  isReview?: boolean
  link: Pick<LinkProps, 'to' | 'params' | 'search'>
}

/** Links to the parts of a list, which differ in what a person does with them. */
export function Shelves({ label, shelves }: { label: string; shelves: Shelf[] }) {
  return (
    <nav className="shelves" aria-label={label}>
      {shelves.map(({ key, words, isOpen, count, isReview = false, link }) => (
        <Link
          key={key}
          {...link}
          activeOptions={{ exact: true, includeSearch: true }}
          aria-current={isOpen ? 'page' : undefined}
          className={isReview && count !== undefined && count > 0 ? 'needs-review' : undefined}
        >
          {words}
          {count !== undefined && ` ${wholeNumber(count)}`}
        </Link>
      ))}
    </nav>
  )
}
