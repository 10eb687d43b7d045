import { Link, type LinkProps, useLocation, useNavigate } from '@tanstack/react-router'
import { isLive } from '../../../src/contract/status.ts'
import type { Migration } from '../../data/queries.ts'
import { wholeNumber } from '../../format/number.ts'
import { type DifferenceSearch, toRepair } from './difference-filters.ts'

/** Links to the parts of a migration, side by side. On a narrow screen, the browser's own list. */
export function Tabs({ migration }: { migration: Migration }) {
  const id = migration.requestId
  const tabs = tabsOf(migration)
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const shown = tabs.find(({ to }) => to.replace('$id', id) === pathname) ?? tabs[0]
  return (
    <>
      <nav className="tabs" aria-label="Parts of the migration">
        {tabs.map(({ to, words, search }) => (
          <Link
            key={to}
            to={to}
            params={{ id }}
            search={search}
            activeOptions={{ exact: to === overview, includeSearch: false }}
          >
            {words}
          </Link>
        ))}
      </nav>
      <label className="choice tabs-choice">
        <span>Part of the migration</span>
        <select
          value={shown?.to}
          onChange={({ currentTarget }) => {
            const chosen = tabs.find(({ to }) => to === currentTarget.value)
            if (chosen) navigate({ to: chosen.to, params: { id }, search: chosen.search })
          }}
        >
          {tabs.map(({ to, words }) => (
            <option key={to} value={to}>
              {words}
            </option>
          ))}
        </select>
      </label>
    </>
  )
}

const overview = '/app/migrations/$id'

interface Tab {
  to: NonNullable<LinkProps['to']>
  words: string
  search?: DifferenceSearch
  isThere: boolean
}

function tabsOf({ mode, status, failuresOpen }: Migration): Tab[] {
  const isComparison = mode === 'verify'
  const toReview = failuresOpen > 0 ? ` ${wholeNumber(failuresOpen)}` : ''
  const issues = `Issues${isComparison ? '' : toReview}`
  const differences = mode === 'dry-run' ? 'What it would do' : `Differences${isComparison ? toReview : ''}`
  const isCopy = mode === 'full'
  const tabs: Tab[] = [
    { to: overview, words: 'Overview', isThere: true },
    { to: '/app/migrations/$id/issues', words: issues, isThere: true },
    {
      to: '/app/migrations/$id/differences',
      words: differences,
      search: isComparison ? toRepair : {},
      isThere: mode !== 'counts',
    },
    { to: '/app/migrations/$id/changes', words: 'Changes', isThere: isCopy },
    { to: '/app/migrations/$id/pairs', words: 'Item pairs', isThere: isCopy },
    { to: '/app/migrations/$id/activity', words: 'Activity', isThere: true },
    { to: '/app/migrations/$id/settings', words: 'Settings', isThere: true },
    { to: '/app/migrations/$id/report', words: 'Report', isThere: isCopy && !isLive(status) },
  ]
  return tabs.filter(({ isThere }) => isThere)
}
