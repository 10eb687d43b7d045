import { singularOf } from '../model/label-words.ts'
import { parsePending } from '../model/pending.ts'
import { labelOf } from './registry.ts'

interface NamedItem {
  component: string
  id: string
  /** The name that people use; null if it has none, or none that may be displayed. */
  name: string | null
}

/** No entity copies these, but references may name them. */
const labelsBeyond: Record<string, string> = { channels: 'Channels', sites: 'Sites' }

/** The control panel displays numbers; other ids (UUIDs, base64, compound ids) mean nothing to a person. */
const shownId = /^\d{1,15}$/

/** Words for an item known only by its kind and id, for use in a sentence: "variant 7", "channel 1". */
export function itemWords({ component, id }: Omit<NamedItem, 'name'>): string {
  return shownId.test(id) ? kindAndId(component, id) : `an item of "${labelIn(component)}"`
}

/** What is pending for a copy, for use in a sentence: "brand 7, children". */
export function describePending(texts: readonly string[]): string {
  const words = texts
    .map(parsePending)
    .map((pending) =>
      'component' in pending ? itemWords({ component: pending.component, id: pending.sourceId }) : pending.kind,
    )
  return [...new Set(words)].join(', ')
}

/** Words for an item in an issue: `"Lamp" (source 7)`, or `"Tax rate 7"` if it has no name. */
export function calledItem({ component, id, name }: NamedItem, side: 'source' | 'destination' = 'source'): string {
  const isShown = shownId.test(id)
  const plain = plainName({ component, id })
  if (name === null || name === plain) return `"${isShown ? plain : capital(kindOf(component))}"`
  return isShown ? `"${name}" (${side} ${id})` : `"${name}"`
}

/** What lists call an item whose own name is not displayed. */
export function plainName({ component, id }: Omit<NamedItem, 'name'>): string {
  return capital(kindAndId(component, id))
}

function kindAndId(component: string, id: string): string {
  return `${kindOf(component)} ${id}`
}

function kindOf(component: string): string {
  return singularOf(labelIn(component))
}

function labelIn(component: string): string {
  return labelOf(component) ?? labelsBeyond[component] ?? component
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
