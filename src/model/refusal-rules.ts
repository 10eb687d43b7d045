/** What the platform accepts in one field. For a field that is null or missing, only `required` applies. */
export interface FieldLimit {
  required?: true
  /** Characters of a text, or items of a list. */
  longest?: number
  shortest?: number
  least?: number
  most?: number
  oneOf?: readonly string[]
  /** Only in a separate call: inside its parent's create call the platform does not check it. */
  alone?: true
}

/** What the platform accepts for a component. */
export interface Limits {
  fields?: Readonly<Record<string, FieldLimit>>
  /** The most that a store may have. Source: Help Center, platform limits; the API does not report them. */
  inStore?: number
  /** The most of each component that one item may have. */
  children?: Readonly<Record<string, number>>
  /** Rules about more than one field of a new item. */
  rules?: readonly ((body: Record<string, unknown>) => { field: string; message: string } | undefined)[]
}

/** Looks up the limits of a component. */
export type LimitsOf = (component: string) => Limits | undefined

/** An item as it would be written, with its children. */
export interface Judged {
  component: string
  body: Record<string, unknown>
  name: string | null
  /** Sent inside its parent's call. */
  inline: boolean
  children: readonly Judged[]
}

/** A refusal that we can predict. */
export interface Prediction {
  /** Shown to people, e.g. `products.name: at most 250 characters`. */
  rule: string
  field: string
  /** Fields that break the same rule. */
  others?: readonly string[]
  message: string
}

type Action = 'create' | 'update'

/**
 * Why the platform would refuse to write this item; for a create call, including its inline children. Undefined if no
 * rule is broken, which is no guarantee: the platform has undocumented rules.
 */
export function predictRefusal(item: Judged, action: Action, limitsOf: LimitsOf): Prediction | undefined {
  return refusalOf(item, action, true, limitsOf)
}

function refusalOf(item: Judged, action: Action, alone: boolean, limitsOf: LimitsOf): Prediction | undefined {
  const limits = limitsOf(item.component) ?? {}
  const inline = action === 'create' ? item.children.filter((child) => child.inline) : []
  return (
    ownRefusal(item, limits, action, alone) ??
    tooManyChildren(item, limits) ??
    first(inline, (child) => refusalOf(child, action, false, limitsOf)) ??
    (action === 'create' ? brokenRule(item, limits) : undefined)
  )
}

function first<Item, Found>(items: readonly Item[], look: (item: Item) => Found | undefined): Found | undefined {
  for (const item of items) {
    const found = look(item)
    if (found !== undefined) return found
  }
  return undefined
}

function ownRefusal(
  { component, body }: Judged,
  { fields = {} }: Limits,
  action: Action,
  alone: boolean,
): Prediction | undefined {
  return first(Object.entries(fields), ([field, limit]) => {
    if (limit.alone && !alone) return undefined
    const value = body[field]
    const broken = isAbsent(value) ? missing(limit, action === 'create' || field in body) : breach(limit, value)
    if (broken === undefined) return undefined
    return { rule: `${component}.${field}: ${broken}`, field, message: `${field}: ${broken}` }
  })
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

function missing({ required }: FieldLimit, sent: boolean): string | undefined {
  return required && sent ? 'required' : undefined
}

/** The broken rule, in words. */
function breach(limit: FieldLimit, value: unknown): string | undefined {
  const { longest, oneOf, least, most } = limit
  if (longest !== undefined && typeof value === 'string' && [...value].length > longest)
    return `at most ${longest} characters`
  if (longest !== undefined && Array.isArray(value) && value.length > longest) return `at most ${longest} of them`
  if (oneOf && !oneOf.includes(String(value))) return `one of ${oneOf.join(', ')}`
  const number = least === undefined && most === undefined ? Number.NaN : Number(value)
  if (least !== undefined && number < least) return `at least ${least}`
  if (most !== undefined && number > most) return `at most ${most}`
  return undefined
}

function tooManyChildren({ component, children }: Judged, limits: Limits): Prediction | undefined {
  return first(Object.entries(limits.children ?? {}), ([child, most]) => {
    const count = children.filter((one) => one.component === child).length
    if (count <= most) return undefined
    const message = `at most ${most} ${child}, not ${count}`
    return { rule: `${component}: at most ${most} ${child}`, field: child, message }
  })
}

function brokenRule({ component, body }: Judged, { rules = [] }: Limits): Prediction | undefined {
  const broken = first(rules, (rule) => rule(body))
  return broken && { rule: `${component}.${broken.field}: ${broken.message}`, ...broken }
}
