import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { administration } from '../../data/administration.ts'
import { sentenceOf } from '../../data/errors.ts'
import { type OrganizationEntry, organizationsQuery } from '../../data/queries.ts'
import { counted } from '../../format/number.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { SearchField } from '../../ui/field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Results } from '../../ui/results.tsx'
import { PartState } from '../part-state.tsx'
import { useOffNow } from '../use-off-now.ts'

/** Shorter text would match half of all organizations. */
const shortestName = 2

/** Finds organizations without Store Migration, and enables it for those that are ticked. */
export function AddOrganizations({ onEnabled }: { onEnabled: () => Promise<void> }) {
  const [text, setText] = useState('')
  const [selected, setSelected] = useState<OrganizationEntry[]>([])
  const [results, setResults] = useState<string[]>([])
  const [busy, setBusy] = useState(false)
  const offNow = useOffNow()
  const isSearching = text.trim().length >= shortestName
  const found = useQuery({
    ...organizationsQuery({ storeMigration: 'disabled', text: text.trim(), limit: 20 }),
    enabled: isSearching,
  })
  const isSelected = (entry: OrganizationEntry) =>
    selected.some(({ organisationId }) => organisationId === entry.organisationId)
  const toggle = (entry: OrganizationEntry) =>
    setSelected(
      isSelected(entry)
        ? selected.filter(({ organisationId }) => organisationId !== entry.organisationId)
        : [...selected, entry],
    )
  async function enable() {
    setBusy(true)
    setResults([])
    const refused: OrganizationEntry[] = []
    for (const entry of selected) {
      const result = await administration.enable(entry.organisationId).then(
        () => `${entry.name} has Store Migration now.`,
        (error: unknown) => {
          refused.push(entry)
          return `${entry.name}: ${sentenceOf(error)}`
        },
      )
      setResults((before) => [...before, result])
    }
    setSelected(refused)
    if (refused.length === 0) setText('')
    setBusy(false)
    await onEnabled()
  }
  return (
    <Panel title="Add organizations" action={<Link to={paths.organizations}>Create an organization</Link>}>
      <SearchField label="Search by name" value={text} onChange={setText} />
      <Results
        shown={text.trim()}
        count={isSearching && !found.isPlaceholderData ? found.data?.items.length : undefined}
        hasMore={found.data?.nextCursor !== null}
      />
      {isSearching && !found.data && <PartState query={found} />}
      {isSearching && found.data && <Matches entries={found.data.items} isSelected={isSelected} onToggle={toggle} />}
      <div className="dialog-actions">
        <Button busy={busy} offBecause={selected.length === 0 ? 'nothing-selected' : offNow} onClick={enable}>
          {`Enable selected (${selected.length})`}
        </Button>
      </div>
      {selected.length === 0 && (
        <p id="nothing-selected" className="why">
          Search for an organization and tick it first.
        </p>
      )}
      <div role="status">
        <ul className="results">
          {results.map((result) => (
            <li key={result}>{result}</li>
          ))}
        </ul>
      </div>
    </Panel>
  )
}

interface MatchesProps {
  entries: OrganizationEntry[]
  isSelected: (entry: OrganizationEntry) => boolean
  onToggle: (entry: OrganizationEntry) => void
}

function Matches({ entries, isSelected, onToggle }: MatchesProps) {
  if (entries.length === 0) return <p className="why">No organization without Store Migration has this in its name.</p>
  return (
    <ul className="matches">
      {entries.map((entry) => (
        <li key={entry.organisationId}>
          <label>
            <input type="checkbox" checked={isSelected(entry)} onChange={() => onToggle(entry)} />
            <span>
              <bdi>{entry.name}</bdi> <small>{counted(entry.stores, 'store')}</small>
            </span>
          </label>
        </li>
      ))}
    </ul>
  )
}
