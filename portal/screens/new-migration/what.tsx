import type { EntityEntry, Forecast } from '../../data/queries.ts'
import { listed } from '../../format/listed.ts'
import { counted } from '../../format/number.ts'
import { Checkbox, RadioGroup } from '../../ui/choices.tsx'
import { Panel } from '../../ui/panel.tsx'
import { groupWords } from '../../words.ts'
import type { Draft, DraftScope } from './draft.ts'
import { PageTemplates } from './page-templates.tsx'
import { PickedItems } from './picked-items.tsx'
import { problemAt, type SectionProps } from './section.ts'

interface Props extends SectionProps {
  entities: EntityEntry[]
  forecast: Forecast | undefined
}

const scopeOptions: { value: DraftScope; words: string; meaning: string }[] = [
  { value: 'everything', words: 'Everything', meaning: 'The whole catalog, customers, orders, content and settings.' },
  { value: 'kinds', words: 'Some kinds', meaning: 'For example products only, or everything but orders.' },
  { value: 'items', words: 'Picked items', meaning: 'The items you choose, with what they need.' },
  {
    value: 'templates',
    words: 'Pages by template',
    meaning: 'Pages built with widgets, chosen by the file of the theme.',
  },
]

const themeOptions: { value: Draft['themes']; words: string; meaning?: string }[] = [
  { value: 'none', words: 'Leave themes alone' },
  {
    value: 'upload',
    words: 'Upload the themes',
    meaning: 'They are added to those of the destination; nothing looks different.',
  },
  {
    value: 'activate',
    words: 'Upload and show them',
    meaning: 'The storefronts of the destination look like those of the source.',
  },
]

export function What({ draft, onChange, problems, entities, forecast }: Props) {
  const problem = problemAt(problems, 'new-what')
  return (
    <Panel id="new-what" title="2. What">
      {problem !== undefined && <p className="field-problem">{problem}</p>}
      <RadioGroup
        legend="What to copy"
        isLegendHidden
        value={draft.scope}
        options={scopeOptions}
        onChange={(scope) => onChange({ scope })}
      />
      {draft.scope === 'kinds' && (
        <Kinds draft={draft} onChange={onChange} entities={entities} counts={forecast?.counts ?? {}} />
      )}
      {draft.scope === 'items' && <PickedItems draft={draft} onChange={onChange} entities={entities} />}
      {draft.scope === 'templates' && <PageTemplates draft={draft} onChange={onChange} />}
      {(draft.scope === 'everything' || draft.scope === 'kinds') && (
        <RadioGroup
          legend="Themes"
          value={draft.themes}
          options={themeOptions}
          onChange={(themes) => onChange({ themes })}
        />
      )}
    </Panel>
  )
}

interface KindsProps extends Pick<SectionProps, 'draft' | 'onChange'> {
  entities: EntityEntry[]
  counts: Record<string, number>
}

/** Kinds by group, in the order of the registry. Themes have a choice of their own. */
function Kinds({ draft, onChange, entities, counts }: KindsProps) {
  const kinds = entities.filter(({ optional }) => !optional)
  const chosen = new Set(draft.kinds)
  const toggle = (keys: string[], isOn: boolean) => {
    const isChosen = (key: string) => (keys.includes(key) ? isOn : chosen.has(key))
    onChange({ kinds: kinds.map(({ key }) => key).filter(isChosen) })
  }
  return (
    <div className="kind-groups">
      {Object.entries(groupWords).map(([group, words]) => {
        const own = kinds.filter((one) => one.group === group)
        const keys = own.map(({ key }) => key)
        return (
          <fieldset key={group} className="choices">
            <legend>{words}</legend>
            {own.length > 1 && (
              <Checkbox
                label={`All of ${words.toLowerCase()}`}
                isChecked={keys.every((key) => chosen.has(key))}
                onChange={(isOn) => toggle(keys, isOn)}
              />
            )}
            {own.map((kind) => (
              <Checkbox
                key={kind.key}
                label={kind.label}
                isChecked={chosen.has(kind.key)}
                onChange={(isOn) => toggle([kind.key], isOn)}
                meaning={chosen.has(kind.key) ? meaningOf(counts[kind.key], needsOf(kind, kinds, chosen)) : undefined}
              />
            ))}
          </fieldset>
        )
      })}
    </div>
  )
}

/** Displayed beside the name. If it were part of the name, a screen reader would announce every change. */
function meaningOf(count: number | undefined, needs: string | undefined): string | undefined {
  const parts = [count === undefined ? undefined : `${counted(count, 'item')}.`, needs].filter(Boolean)
  return parts.length === 0 ? undefined : parts.join(' ')
}

/** Kinds that it refers to and that are not chosen: those items must already be at the destination. */
function needsOf(kind: EntityEntry, kinds: EntityEntry[], chosen: Set<string>): string | undefined {
  const missing = kinds.filter(({ key }) => kind.after.includes(key) && !chosen.has(key)).map(({ label }) => label)
  return missing.length === 0
    ? undefined
    : `Refers to ${listed(missing).toLowerCase()}: those must be in the destination already.`
}
