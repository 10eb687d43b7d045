import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { isLive } from '../../../src/contract/status.ts'
import { type Asker, whyNotAccept, whyNotCopyItem } from '../../allowed.ts'
import { sentenceOf } from '../../data/errors.ts'
import { type Comparison, comparisonQuery } from '../../data/findings.ts'
import type { Difference, EntityEntry, Migration } from '../../data/queries.ts'
import { paths } from '../../paths.ts'
import { useAsker } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { LinkOrReason } from '../../ui/link-or-reason.tsx'
import { Notice } from '../../ui/notice.tsx'
import { strategyWords } from '../../words.ts'
import { DifferenceAcceptance, isAcceptable } from './difference-acceptance.tsx'
import { compared } from './difference-filters.ts'
import { FieldValues, ofBothStores } from './field-values.tsx'
import { partLabel } from './parts.ts'

interface Props {
  difference: Difference
  migration: Migration
  entities: readonly EntityEntry[]
  /** What people call the item. */
  name: string
}

/** What can be done about a difference: to compare the item again, to copy it, or to accept it as it is. */
export function DifferenceActions({ difference, migration, entities, name }: Props) {
  return (
    <div className="row-actions">
      <RepairActions difference={difference} migration={migration} entities={entities} name={name} />
      {isAcceptable(difference) && !isLive(migration.status) && (
        <DifferenceAcceptance difference={difference} migration={migration} name={name} />
      )}
    </div>
  )
}

/** Compares one item again, or copies it. A part of an item is compared and copied with the whole item. */
function RepairActions({ difference, migration, entities, name }: Props) {
  const [isComparing, setComparing] = useState(false)
  const { item, component, destinationId } = difference
  const kind = entities.find(({ key }) => key === component)
  const { sourceId } = item
  if (sourceId === null) return <small>Keep it, or delete it there by hand.</small>
  const whole = wholeOf(difference, entities)
  if (!kind || !(kind.browsable || kind.pickable)) return <small>{whole}</small>
  const copy = kind.pickable && <CopyItem difference={difference} migration={migration} name={name} id={sourceId} />
  return (
    <>
      {kind.browsable && (
        <Button variant="secondary" name={`Compare again: ${name}`} onClick={() => setComparing(true)}>
          Compare again
        </Button>
      )}
      {copy || <small>{whole}</small>}
      {isComparing && (
        <ComparedAgain
          item={{ entity: component, sourceItemId: sourceId, destinationItemId: destinationId ?? undefined }}
          migration={migration}
          name={name}
          onClose={() => setComparing(false)}
        >
          {copy}
        </ComparedAgain>
      )}
    </>
  )
}

/** How to repair what cannot be copied by itself: a part of an item, or an item of a kind that is only copied as a whole. */
function wholeOf(
  { component, repairedBy }: Pick<Difference, 'component' | 'repairedBy'>,
  entities: readonly EntityEntry[],
): string {
  const kind = entities.find(({ components }) => components.some(({ key }) => key === component))
  if (!kind || kind.pickable) return 'Compared and copied with the item it belongs to.'
  return repairedBy === null
    ? 'No copy changes it. Correct it by hand if it matters, or accept it as it is.'
    : `To repair it, copy all of ${kind.label}, with “${strategyWords[repairedBy]}”.`
}

/** Why buttons that a difference has are off: to copy its item alone, and to accept it. */
export function whyOff(difference: Difference, entities: readonly EntityEntry[], asker: Asker): (string | undefined)[] {
  const { component, item, repairedBy } = difference
  const isPickable = entities.some(({ key, pickable }) => key === component && pickable)
  return [
    isPickable && item.sourceId !== null ? whyNotCopyItem(asker, repairedBy !== null) : undefined,
    isAcceptable(difference) ? whyNotAccept(asker) : undefined,
  ]
}

interface CopyProps {
  difference: Difference
  migration: Migration
  name: string
  id: string
}

/** Links to a new migration of only this item, with the mildest strategy that repairs it. */
function CopyItem({ difference: { component, item, repairedBy }, migration, name, id }: CopyProps) {
  const { source, destination, sourceStorefront, destStorefront } = migration
  const search = {
    source: source.hash,
    destination: destination.hash,
    pick: `${component}:${id}`,
    ...(item.name !== null && { name: item.name }),
    ...(repairedBy !== null && { strategy: repairedBy }),
    ...(sourceStorefront !== null && { sourceStorefront }),
    ...(destStorefront !== null && { destStorefront }),
  }
  return (
    <LinkOrReason
      to={paths.newMigration}
      search={search}
      isSecondary
      name={`Copy this item: ${name}`}
      offBecause={whyNotCopyItem(useAsker(), repairedBy !== null)}
    >
      Copy this item
    </LinkOrReason>
  )
}

interface ComparedProps {
  item: { entity: string; sourceItemId: string; destinationItemId: string | undefined }
  migration: Migration
  name: string
  onClose: () => void
  /** What can be done about the item. */
  children: ReactNode
}

/** The item as both stores have it now. The list still has what the comparison found. */
function ComparedAgain({ item, migration, name, onClose, children }: ComparedProps) {
  const { source, destination } = migration
  const asked = { ...item, source: source.hash, destination: destination.hash }
  const { data, error, isFetching, refetch } = useQuery(comparisonQuery(asked))
  return (
    <Dialog title={`${name}, compared again`} isDrawer onClose={onClose}>
      <div role="status">
        {isFetching && <p>Reading both stores…</p>}
        {error && !isFetching && <Notice tone="review">{sentenceOf(error)}</Notice>}
        {data && !isFetching && <Outcome found={data} migration={migration} />}
      </div>
      {data && !isFetching && <Found found={data} migration={migration} />}
      <div className="dialog-actions">
        {data?.state !== 'equal' && children}
        <Button variant="secondary" busy={isFetching} onClick={() => refetch()}>
          Compare once more
        </Button>
        <Button variant="subtle" onClick={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  )
}

type OutcomeProps = { found: Comparison; migration: Migration }

function Outcome({ found, migration }: OutcomeProps) {
  const { missingReference } = found
  const isRight = ['equal', 'own'].includes(verdictOf(found))
  return (
    <Notice tone={isRight ? 'done' : 'review'}>
      <p>
        {outcomeWords[verdictOf(found)]} Both stores were read just now; the list still says what the comparison found.
      </p>
      {missingReference !== null && (
        <p>
          It refers to an item that has no copy yet: {partLabel(migration, missingReference.component)}, id{' '}
          <code>{missingReference.id}</code>.
        </p>
      )}
    </Notice>
  )
}

const outcomeWords: Record<Comparison['state'] | 'own', string> = {
  equal: 'The two stores agree on this item.',
  own: 'Only values your shop changes itself differ.',
  different: 'It differs.',
  not_copied: 'It has no copy in the destination.',
  missing_at_destination: 'Its copy is not in the destination any more.',
}

function verdictOf({ state, differences }: Comparison): Comparison['state'] | 'own' {
  const isOwn = differences.every(({ kind, fields }) => kind === 'different' && fields.every(({ living }) => living))
  return state === 'different' && isOwn ? 'own' : state
}

function Found({ found: { differences }, migration }: OutcomeProps) {
  return differences.map(({ component, kind, sourceId, destinationId, fields }) => (
    <section key={`${component} ${sourceId} ${destinationId}`} className="drawer-section">
      <h3>
        {partLabel(migration, component)}, id {sourceId ?? destinationId}
      </h3>
      {kind !== 'different' && <p>{compared[kind]}</p>}
      <FieldValues fields={fields.map(ofBothStores)} />
    </section>
  ))
}
