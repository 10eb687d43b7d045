import type { StoreClient } from '../../../src/bigcommerce/client.ts'
import type { WriteCall } from '../../../src/entities/core/calls.ts'
import type { PlatformItem } from '../../../src/entities/core/draft.ts'
import { act, type Dice, deedsOf, type Found, nameOf, type Deed as PlainDeed, send } from '../churn/people.ts'

/** What people do with two items that stand side by side, or with one of them, beside what `churn` knows. */
type SiblingDeed = 'exchange' | 'take over' | 'empty' | 'make again'
export type Deed = PlainDeed | SiblingDeed

/** Exchanges are the most telling. */
const changes: readonly Deed[] = ['exchange', 'exchange', 'exchange', 'take over', 'empty']

export function allDeedsOf({ component, pass, parent }: Found): Deed[] {
  const plain = deedsOf(component, pass)
  const isChanged = plain.includes('edit') || component.carried
  const isMade = plain.includes('add') && plain.includes('delete')
  // The two values of a checkbox come and go with it.
  if (component.carried && parent?.body.type === 'checkbox') return [...changes]
  return [...plain, ...(isChanged ? changes : []), ...(isMade ? (['make again'] as const) : [])]
}

/** @returns what was done, or undefined when the store refused it or it would change nothing. */
export async function actAmong(
  client: StoreClient,
  deed: Deed,
  one: Found,
  others: Found[],
  dice: Dice,
  mark: string,
): Promise<string | undefined> {
  const siblings = others.filter(({ draft, parentId }) => draft.id !== one.draft.id && parentId === one.parentId)
  const sibling = siblings[dice(siblings.length)]
  switch (deed) {
    case 'exchange':
    case 'take over': {
      if (!sibling) return undefined
      const fields = Object.keys(one.draft.body).filter((field) => field !== 'id' && differ(one, sibling, field))
      const field = fields[dice(fields.length)]
      if (field === undefined) return undefined
      const [own, other] = [one.draft.body[field], sibling.draft.body[field]]
      const what = `${field} of ${nameOf(one.draft)} (${show(own)}) and ${nameOf(sibling.draft)} (${show(other)})`
      if (deed === 'take over') return (await set(client, one, { [field]: other })) ? what : undefined
      const isFree = await set(client, one, { [field]: other })
      if (!isFree && !(await set(client, one, { [field]: forAMoment(own, mark) }))) return undefined
      const isDone = await set(client, sibling, { [field]: own })
      if (!isFree) await set(client, one, { [field]: isDone ? other : own })
      return isDone ? what : isFree ? `half of ${what}` : undefined
    }
    case 'empty': {
      const fields = Object.keys(one.draft.body).filter((field) => isFilledText(one.draft.body[field]))
      const field = fields[dice(fields.length)]
      const value = dice(2) === 0 ? '' : null
      if (field === undefined || !(await set(client, one, { [field]: value }))) return undefined
      return `${field} of ${nameOf(one.draft)}: ${show(one.draft.body[field])} -> ${show(value)}`
    }
    case 'make again': {
      if ((await act(client, 'delete', one, dice, mark)) === undefined) return undefined
      const { draft, parentId, parent } = one
      const isMade = await send(client, one.component, one.component.create?.call([{ draft, parentId, parent }]))
      return `${nameOf(draft)}${isMade ? '' : ', which was only deleted'}`
    }
    default:
      return act(client, deed, one, dice, mark)
  }
}

/** @returns whether the store took it. */
function set(
  client: StoreClient,
  { component, draft, parentId, parent }: Found,
  fields: PlatformItem,
): Promise<boolean> {
  const body = { ...draft.body, ...fields }
  const desired = { ...draft, body, compare: { ...draft.compare, ...fields } }
  const names = Object.keys(fields)
  const carried = (): WriteCall | undefined =>
    component.carried && component.remove
      ? { method: 'PUT', path: component.remove.call(draft, parentId).path, body: fields }
      : undefined
  return send(client, component, component.update?.call(desired, draft, parentId, names, parent) ?? carried())
}

function differ(one: Found, other: Found, field: string): boolean {
  return field in other.draft.body && show(one.draft.body[field]) !== show(other.draft.body[field])
}

function isFilledText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

/** So that two items can exchange what no two items may have. */
function forAMoment(value: unknown, mark: string): unknown {
  if (typeof value === 'string') return value.startsWith('/') ? `/${mark}${value}` : `${mark}${value}`
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, forAMoment(of, mark)]))
}

function show(value: unknown): string {
  return String(JSON.stringify(value)).slice(0, 60)
}
