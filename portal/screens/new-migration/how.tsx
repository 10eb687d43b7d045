import { usualPruneLimits } from '../../../src/contract/primitives/limits.ts'
import { whyNotDelete } from '../../allowed.ts'
import type { EntityEntry } from '../../data/queries.ts'
import { useAsker } from '../../session.tsx'
import { Checkbox, RadioGroup } from '../../ui/choices.tsx'
import { TextField } from '../../ui/field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { SayOnce } from '../../ui/reasons.tsx'
import { orderStatusWords, ownValueWords, strategyMeanings, strategyWords } from '../../words.ts'
import { type Draft, isWide, limitProblems, staysDeleted } from './draft.ts'
import { problemAt, type SectionProps } from './section.ts'

interface Props extends SectionProps {
  entities: EntityEntry[]
}

const strategies = (['skip', 'update', 'replace'] as const).map((value) => ({
  value,
  words: strategyWords[value],
  meaning: strategyMeanings[value],
}))

export function How({ draft, onChange, problems, entities }: Props) {
  const problem = problemAt(problems, 'new-how')
  return (
    <Panel id="new-how" title="3. How">
      {problem !== undefined && <p className="field-problem">{problem}</p>}
      <RadioGroup
        legend="Items that are already there"
        value={draft.strategy}
        options={strategies}
        onChange={(strategy) => onChange({ strategy })}
      />
      {draft.strategy === 'replace' && (
        <Deleting draft={draft} onChange={onChange} problems={problems} entities={entities} />
      )}
      <RadioGroup
        legend="Try it out first, or copy at once"
        value={draft.isTrial ? 'trial' : 'copy'}
        options={[
          {
            value: 'trial',
            words: 'Trial run (recommended)',
            meaning: 'Reads both stores and says item by item what a copy would do. Changes nothing.',
          },
          { value: 'copy', words: 'Copy now' },
        ]}
        onChange={(next) => onChange({ isTrial: next === 'trial' })}
      />
      <MoreSettings draft={draft} onChange={onChange} entities={entities} />
    </Panel>
  )
}

type PartProps = Pick<Props, 'draft' | 'onChange' | 'entities'>

/** What is deleted, who has to confirm it, and what only an owner can add. */
function Deleting({ draft, onChange, problems, entities }: Props) {
  const offBecause = whyNotDelete(useAsker())
  const ofShoppers = entities
    .filter(({ deletable }) => deletable)
    .flatMap(({ components }) => components.filter(({ madeByShoppers }) => madeByShoppers))
  return (
    <>
      <Checkbox
        label="Show me the list before anything is deleted"
        meaning="The migration pauses before its first deletion, and an owner decides."
        isChecked={draft.confirmsDeletions}
        onChange={(confirmsDeletions) => onChange({ confirmsDeletions })}
      />
      {!draft.confirmsDeletions && <DeletionLimits draft={draft} onChange={onChange} problems={problems} />}
      <details className="more">
        <summary>What shoppers made</summary>
        <p className="hint">It is never deleted, unless it is named here.</p>
        <SayOnce reasons={[offBecause]}>
          {ofShoppers.map(({ key, label }) => {
            const isChosen = draft.deleteShoppersData.includes(key)
            return (
              <Checkbox
                key={key}
                label={label}
                // What an owner chose for a migration that is run again, anybody can leave out.
                offBecause={isChosen ? undefined : offBecause}
                isChecked={isChosen}
                onChange={(isOn) => onChange({ deleteShoppersData: toggled(draft.deleteShoppersData, key, isOn) })}
              />
            )
          })}
        </SayOnce>
      </details>
    </>
  )
}

/** If the person does not want to confirm the list, the migration only asks before it deletes more than this. */
function DeletionLimits({ draft, onChange, problems }: SectionProps) {
  const { percent, items } = limitProblems(draft)
  const offBecause = whyNotDelete(useAsker())
  return (
    <fieldset className="choices">
      <legend>Delete without asking, up to</legend>
      <div className="field-pair">
        <TextField
          id="new-percent"
          label="Percent of a kind"
          value={draft.deletionPercent}
          onChange={(deletionPercent) => onChange({ deletionPercent })}
          maxLength={3}
          problem={percent ?? problemAt(problems, 'new-percent')}
        />
        <TextField
          id="new-items"
          label="Items in all"
          value={draft.deletionItems}
          onChange={(deletionItems) => onChange({ deletionItems })}
          maxLength={9}
          problem={items ?? problemAt(problems, 'new-items')}
        />
      </div>
      <p className="hint">
        Beyond either, it pauses and asks an owner.
        {isWide(draft) &&
          ` ${offBecause ?? `That is more than usual: ${usualPruneLimits.percent}% and ${usualPruneLimits.items} items.`}`}
      </p>
    </fieldset>
  )
}

function MoreSettings({ draft, onChange, entities }: PartProps) {
  return (
    <details className="more">
      <summary>More settings</summary>
      <Checkbox
        label="Switch mails about orders off while they are copied"
        meaning={
          draft.muteMails
            ? 'They are switched on again afterwards.'
            : 'Shoppers may get mail about orders that are years old.'
        }
        isChecked={draft.muteMails}
        onChange={(muteMails) => onChange({ muteMails })}
      />
      <Checkbox
        label="Try again automatically"
        meaning="What fails is tried again at the end."
        isChecked={draft.autoHeal}
        onChange={(autoHeal) => onChange({ autoHeal })}
      />
      <Checkbox
        label="Copy what each customer allowed or denied about tracking"
        meaning="One more call for each customer. Without it, customers are asked again."
        isChecked={draft.customerConsent}
        onChange={(customerConsent) => onChange({ customerConsent })}
      />
      <Checkbox
        label="Compare sizes of pictures"
        meaning="Of some products, when the two stores are compared afterwards. Finds pictures that were copied smaller."
        isChecked={draft.comparesPictures}
        onChange={(comparesPictures) => onChange({ comparesPictures })}
      />
      <OrderStatuses draft={draft} onChange={onChange} />
      <OwnValues draft={draft} onChange={onChange} entities={entities} />
      <CreateAgain draft={draft} onChange={onChange} entities={entities} />
    </details>
  )
}

function OrderStatuses({ draft, onChange }: Pick<Props, 'draft' | 'onChange'>) {
  return (
    <fieldset className="choices many">
      <legend>Orders in these statuses; all when none is chosen</legend>
      {Object.entries(orderStatusWords).map(([id, words]) => (
        <Checkbox
          key={id}
          label={words}
          isChecked={draft.orderStatuses.includes(id)}
          onChange={(isOn) => onChange({ orderStatuses: toggled(draft.orderStatuses, id, isOn) })}
        />
      ))}
    </fieldset>
  )
}

/** Values that the destination's shop changes itself, by part, each with an explanation. */
function OwnValues({ draft, onChange, entities }: PartProps) {
  const parts = entities.flatMap(({ components }) =>
    components.filter(({ destinationOwned }) => destinationOwned.length > 0),
  )
  return (
    <fieldset className="choices many">
      <legend>Also overwrite values your shop changes itself</legend>
      {parts.map(({ key, label, destinationOwned: values }) => (
        <Checkbox
          key={key}
          label={label}
          meaning={[...new Set(values.map((value) => ownValueWords[value] ?? value))].join(', ')}
          isChecked={draft.overwrite.includes(key)}
          onChange={(isOn) => onChange({ overwrite: toggled(draft.overwrite, key, isOn) })}
        />
      ))}
    </fieldset>
  )
}

/** About people, one of whom may have asked to be erased. */
function CreateAgain({ draft, onChange, entities }: PartProps) {
  const parts = entities.flatMap(({ components }) => components.filter(({ key }) => staysDeleted.includes(key)))
  return (
    <fieldset className="choices many">
      <legend>Created again if deleted</legend>
      <p className="hint">
        What was copied before and deleted at the destination since stays deleted: the person may have asked for it.
        Unless it is named here.
      </p>
      {parts.map(({ key, label }) => (
        <Checkbox
          key={key}
          label={label}
          isChecked={draft.createAgain.includes(key)}
          onChange={(isOn) => onChange({ createAgain: toggled(draft.createAgain, key, isOn) })}
        />
      ))}
    </fieldset>
  )
}

function toggled(list: Draft['overwrite'], key: string, isOn: boolean): string[] {
  return isOn ? [...list, key] : list.filter((one) => one !== key)
}
