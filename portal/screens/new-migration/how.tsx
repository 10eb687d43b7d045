import { usualPruneLimits } from '../../../src/contract/primitives/limits.ts'
import { whyNotDelete } from '../../allowed.ts'
import type { EntityEntry } from '../../data/queries.ts'
import { useAsker } from '../../session.tsx'
import { Checkbox, RadioGroup } from '../../ui/choices.tsx'
import { TextField } from '../../ui/field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { SayOnce } from '../../ui/reasons.tsx'
import { orderStatusWords, ownValueWords, strategyMeanings, strategyWords } from '../../words.ts'
import { isWide, limitProblems, staysDeleted } from './draft.ts'
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
        <p className="hint">It is never deleted unless you tick it here.</p>
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
    <Several
      legend="Orders in these statuses; all when none is chosen"
      options={Object.entries(orderStatusWords).map(([key, label]) => ({ key, label }))}
      chosen={draft.orderStatuses}
      onChange={(orderStatuses) => onChange({ orderStatuses })}
    />
  )
}

/** Values that the destination's shop changes itself, by part, each with an explanation. */
function OwnValues({ draft, onChange, entities }: PartProps) {
  const parts = entities.flatMap(({ components }) =>
    components.filter(({ destinationOwned }) => destinationOwned.length > 0),
  )
  const meaningOf = (values: string[]) => [...new Set(values.map((value) => ownValueWords[value] ?? value))].join(', ')
  return (
    <Several
      legend="Also overwrite values your shop changes itself"
      options={parts.map(({ key, label, destinationOwned }) => ({ key, label, meaning: meaningOf(destinationOwned) }))}
      chosen={draft.overwrite}
      onChange={(overwrite) => onChange({ overwrite })}
    />
  )
}

/** About people, one of whom may have asked to be erased. */
function CreateAgain({ draft, onChange, entities }: PartProps) {
  return (
    <Several
      legend="Created again if deleted"
      hint="What was copied before and has since been deleted at the destination stays deleted, because the person may have asked for that. Tick what to create again all the same."
      options={entities.flatMap(({ components }) => components.filter(({ key }) => staysDeleted.includes(key)))}
      chosen={draft.createAgain}
      onChange={(createAgain) => onChange({ createAgain })}
    />
  )
}

interface SeveralProps {
  legend: string
  hint?: string
  options: { key: string; label: string; meaning?: string }[]
  chosen: string[]
  onChange: (chosen: string[]) => void
}

/** Any number of choices, by their keys. */
function Several({ legend, hint, options, chosen, onChange }: SeveralProps) {
  return (
    <fieldset className="choices many">
      <legend>{legend}</legend>
      {hint !== undefined && <p className="hint">{hint}</p>}
      {options.map(({ key, label, meaning }) => (
        <Checkbox
          key={key}
          label={label}
          meaning={meaning}
          isChecked={chosen.includes(key)}
          onChange={(isOn) => onChange(toggled(chosen, key, isOn))}
        />
      ))}
    </fieldset>
  )
}

function toggled(list: string[], key: string, isOn: boolean): string[] {
  return isOn ? [...list, key] : list.filter((one) => one !== key)
}
