import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'

export interface Crumb {
  label: string
  to: string
}

interface Props {
  title: string
  /** A badge beside the title. */
  mark?: ReactNode
  lead?: ReactNode
  crumbs?: Crumb[]
  action?: ReactNode
  children: ReactNode
}

/** The frame of every screen: where it is, what it is called, and what to do here. */
export function Screen({ title, mark, lead, crumbs = [], action, children }: Props) {
  const heading = useFocusOnArrival()
  return (
    <div className="screen">
      <title>{`${title} - Storeferry`}</title>
      {crumbs.length > 0 && (
        <nav aria-label="Breadcrumb" className="crumbs">
          {crumbs.map(({ label, to }) => (
            <Link key={to} to={to} activeOptions={{ exact: true }}>
              {label}
            </Link>
          ))}
        </nav>
      )}
      <div className="screen-head">
        <div className="screen-title">
          <h1 ref={heading} tabIndex={-1}>
            <bdi>{title}</bdi>
          </h1>
          {mark}
          {lead && <p className="lead">{lead}</p>}
        </div>
        {action && <div className="screen-action">{action}</div>}
      </div>
      {children}
    </div>
  )
}

let arrived = false

/**
 * Focuses the title after navigation, so that a screen reader reads it. The first title is read when the page loads.
 */
function useFocusOnArrival() {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (arrived) heading.current?.focus({ preventScroll: true })
    arrived = true
  }, [])
  return heading
}
