import { useQuery } from '@tanstack/react-query'
import type { StoreEntry } from '../../data/queries.ts'
import { storefrontsQuery } from '../../data/store-queries.ts'
import { Button } from '../../ui/button.tsx'
import { RadioGroup } from '../../ui/choices.tsx'
import { Select } from '../../ui/field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { PartState } from '../part-state.tsx'
import { AccessBadge } from '../stores/stores.tsx'
import { changeOfStores } from './draft.ts'
import { problemAt, type SectionProps } from './section.ts'

export function StoresSection({ draft, onChange, problems, stores }: SectionProps & { stores: StoreEntry[] }) {
  const { source, destination } = draft
  const options = [
    { value: '', words: 'Choose a store' },
    ...stores.map(({ hash, label }) => ({ value: hash, words: `${label} (${hash})` })),
  ]
  const isSame = source !== '' && source === destination
  const choose = (next: { source?: string; destination?: string }) => onChange(changeOfStores(draft, next))
  return (
    <Panel id="new-stores" title="1. Stores">
      <div className="field-pair">
        <Select
          id="new-source"
          label="Copy from"
          value={source}
          options={options}
          onChange={(next) => choose({ source: next })}
          problem={problemAt(problems, 'new-source')}
        />
        <Select
          id="new-destination"
          label="Copy to"
          value={destination}
          options={options}
          onChange={(next) => choose({ destination: next })}
          problem={isSame ? 'Choose two different stores.' : problemAt(problems, 'new-destination')}
        />
      </div>
      <div className="store-states">
        <States
          stores={[...new Set([source, destination])].flatMap((one) => stores.filter(({ hash }) => hash === one))}
        />
        <Button variant="subtle" onClick={() => choose({ source: destination, destination: source })}>
          Swap the stores
        </Button>
      </div>
      {source !== '' && destination !== '' && !isSame && <Storefronts draft={draft} onChange={onChange} />}
    </Panel>
  )
}

function States({ stores }: { stores: StoreEntry[] }) {
  return stores.map(({ hash, label, access }) => (
    <span key={hash}>
      <bdi>{label}</bdi> <AccessBadge access={access} />
    </span>
  ))
}

/** Only displayed if one of the stores has several storefronts. */
function Storefronts({ draft, onChange }: Pick<SectionProps, 'draft' | 'onChange'>) {
  const { source, destination, sourceStorefront, destStorefront } = draft
  const ofSource = useQuery(storefrontsQuery(source))
  const ofDestination = useQuery(storefrontsQuery(destination))
  const failed = [ofSource, ofDestination].find(({ data, error }) => error && !data)
  if (failed) return <PartState query={failed} />
  const { data: ours } = ofSource
  const { data: theirs } = ofDestination
  if (!ours || !theirs || (ours.items.length < 2 && theirs.items.length < 2)) return null
  const isOne = sourceStorefront !== null || destStorefront !== null
  const optionsOf = (items: { id: string; name: string }[]) => [
    { value: '', words: 'Choose a storefront' },
    ...items.map(({ id, name }) => ({ value: id, words: name })),
  ]
  return (
    <>
      <RadioGroup
        legend="How much of the stores"
        value={isOne ? 'one' : 'whole'}
        options={[
          { value: 'whole', words: 'The whole store' },
          {
            value: 'one',
            words: 'One storefront to one storefront',
            meaning: 'Names, prices and pictures are shared by all storefronts and written for all.',
          },
        ]}
        onChange={(next) =>
          onChange(
            next === 'whole'
              ? { sourceStorefront: null, destStorefront: null }
              : { sourceStorefront: ours.items[0]?.id ?? null, destStorefront: theirs.items[0]?.id ?? null },
          )
        }
      />
      {isOne && (
        <div className="field-pair">
          <Select
            label="Storefront to copy from"
            value={sourceStorefront ?? ''}
            options={optionsOf(ours.items)}
            onChange={(next) => onChange({ sourceStorefront: next || null })}
          />
          <Select
            label="Storefront to copy to"
            value={destStorefront ?? ''}
            options={optionsOf(theirs.items)}
            onChange={(next) => onChange({ destStorefront: next || null })}
          />
        </div>
      )}
    </>
  )
}
