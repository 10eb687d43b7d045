import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { limits } from '../../../src/contract/primitives/limits.ts'
import type { EntityEntry } from '../../data/queries.ts'
import { catalogQuery, catalogTextLength } from '../../data/store-queries.ts'
import { counted, wholeNumber } from '../../format/number.ts'
import { Checkbox } from '../../ui/choices.tsx'
import { SearchField, Select } from '../../ui/field.tsx'
import { Results } from '../../ui/results.tsx'
import { PartState } from '../part-state.tsx'
import type { Draft, Picked } from './draft.ts'
import { PasteItems } from './paste-items.tsx'
import type { SectionProps } from './section.ts'

interface Props extends Pick<SectionProps, 'draft' | 'onChange'> {
  entities: EntityEntry[]
}

/** How many found items are listed. More would make the page slow, and a search is quicker than scrolling. */
const shown = 20

/** Items found in the source on one side, picked items on the other. */
export function PickedItems({ draft, onChange, entities }: Props) {
  const pickable = entities.filter((one) => one.pickable)
  const [key, setKey] = useState('products')
  const kind = pickable.find((one) => one.key === key)
  const has = (id: string) => draft.picks.some((one) => one.entity === key && one.id === id)
  const add = (items: Picked[]) => {
    const fresh = items.filter(({ id }) => !has(id))
    onChange({ picks: [...draft.picks, ...fresh].slice(0, limits.selectedIds) })
  }
  const remove = ({ entity, id }: Pick<Picked, 'entity' | 'id'>) =>
    onChange({ picks: draft.picks.filter((one) => one.entity !== entity || one.id !== id) })
  if (draft.source === '') return <p className="hint">Choose the store to copy from first.</p>
  return (
    <div className="picker">
      <div>
        <Select
          label="Kind"
          value={key}
          options={pickable.map((one) => ({ value: one.key, words: one.label }))}
          onChange={setKey}
        />
        {kind?.browsable && !kind.personal ? (
          <Found
            key={key}
            hash={draft.source}
            kind={kind}
            has={has}
            onToggle={(item, isOn) => (isOn ? add([item]) : remove(item))}
          />
        ) : (
          <p className="hint">These cannot be listed here: pick them by their ids, as the control panel shows them.</p>
        )}
        <PasteItems key={`${draft.source} ${key}`} hash={draft.source} entity={key} onAdd={add} />
      </div>
      <Basket picks={draft.picks} entities={entities} onRemove={remove} />
    </div>
  )
}

interface FoundProps {
  hash: string
  kind: EntityEntry
  has: (id: string) => boolean
  onToggle: (item: Picked, isOn: boolean) => void
}

function Found({ hash, kind, has, onToggle }: FoundProps) {
  const [text, setText] = useState('')
  const found = useQuery(catalogQuery(hash, kind.key, { ...(text !== '' && { text }), limit: shown }))
  const { data } = found
  return (
    <>
      <SearchField
        label={`Find ${kind.label.toLowerCase()}`}
        value={text}
        maxLength={catalogTextLength}
        onChange={setText}
      />
      <Results
        shown={text}
        count={found.isPlaceholderData ? undefined : data?.items.length}
        hasMore={data?.nextCursor !== null}
      />
      {!data && <PartState query={found} />}
      <fieldset className="choices found">
        <legend className="unseen">{`${kind.label} of the store`}</legend>
        {data?.items.map(({ id, name, sku }) => (
          <Checkbox
            key={id}
            label={<bdi>{name || `Item ${id}`}</bdi>}
            meaning={sku ? <bdi>{sku}</bdi> : undefined}
            isChecked={has(id)}
            onChange={(isOn) => onToggle({ entity: kind.key, id, name }, isOn)}
          />
        ))}
      </fieldset>
      {data?.items.length === 0 && <p className="hint">Nothing matches.</p>}
      {data?.nextCursor && <p className="hint">Search to see others; these are the first {shown}.</p>}
    </>
  )
}

interface BasketProps {
  picks: Draft['picks']
  entities: EntityEntry[]
  onRemove: (item: Picked) => void
}

/** The picked items. Of a long selection the first are listed, and the others are found by their names or ids. */
function Basket({ picks, entities, onRemove }: BasketProps) {
  const basket = useRef<HTMLElement>(null)
  const [text, setText] = useState('')
  function remove(item: Picked) {
    onRemove(item)
    // Its button goes with it.
    basket.current?.focus()
  }
  const isLong = picks.length > shown
  const sought = isLong ? text.trim().toLowerCase() : ''
  const found = picks.filter(({ id, name }) => id.includes(sought) || name?.toLowerCase().includes(sought))
  const groups = [...Map.groupBy(found, ({ entity }) => entity)]
  return (
    <section ref={basket} className="basket" aria-label="Picked" tabIndex={-1}>
      <div role="status">
        <h3>{picks.length === 0 ? 'Nothing picked yet' : counted(picks.length, 'item')}</h3>
        {picks.length >= limits.selectedIds && (
          <p className="field-problem">At most {wholeNumber(limits.selectedIds)} items. Copy the whole kind instead.</p>
        )}
      </div>
      {isLong && <SearchField label="Find among the picked" value={text} onChange={setText} />}
      {isLong && found.length === 0 && <p className="hint">Nothing matches.</p>}
      {groups.map(([entity, items]) => (
        <div key={entity}>
          <h4>{entities.find(({ key }) => key === entity)?.label ?? entity}</h4>
          <ul>
            {items.slice(0, shown).map((item) => (
              <li key={item.id}>
                <bdi>{item.name ?? `Id ${item.id}`}</bdi>{' '}
                <button
                  type="button"
                  className="link-button"
                  aria-label={`Remove ${item.name ?? item.id}`}
                  onClick={() => remove(item)}
                >
                  Remove
                </button>
              </li>
            ))}
          </ul>
          {items.length > shown && <p className="hint">and {wholeNumber(items.length - shown)} more</p>}
        </div>
      ))}
    </section>
  )
}
