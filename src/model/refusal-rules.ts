import { childLimits, type FieldLimit, fieldLimits } from './field-limits.ts'

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
 * Why the platform would refuse to write this item; for a creation, including its inline children. Undefined when no rule is broken,
 * which is no guarantee: the platform has undocumented rules.
 */
export function predictRefusal(item: Judged, action: Action): Prediction | undefined {
  return refusalOf(item, action, true)
}

function refusalOf(item: Judged, action: Action, alone: boolean): Prediction | undefined {
  const inline = action === 'create' ? item.children.filter((child) => child.inline) : []
  return (
    ownRefusal(item, action, alone) ??
    tooManyChildren(item) ??
    first(inline, (child) => refusalOf(child, action, false)) ??
    first(otherRules[item.component] ?? [], (rule) => (action === 'create' ? rule(item) : undefined))
  )
}

function first<Item, Found>(items: readonly Item[], look: (item: Item) => Found | undefined): Found | undefined {
  for (const item of items) {
    const found = look(item)
    if (found !== undefined) return found
  }
  return undefined
}

function ownRefusal({ component, body }: Judged, action: Action, alone: boolean): Prediction | undefined {
  return first(Object.entries(fieldLimits[component] ?? {}), ([field, limit]) => {
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

function tooManyChildren({ component, children }: Judged): Prediction | undefined {
  return first(Object.entries(childLimits[component] ?? {}), ([child, most]) => {
    const count = children.filter((one) => one.component === child).length
    if (count <= most) return undefined
    const message = `at most ${most} ${child}, not ${count}`
    return { rule: `${component}: at most ${most} ${child}`, field: child, message }
  })
}

type Rule = (item: Judged) => Prediction | undefined

/** Rules about more than one field. */
const otherRules: Record<string, readonly Rule[]> = {
  products: [hiddenPriceOfSoldProduct],
  'product-reviews': [unreadableEmail],
}

function hiddenPriceOfSoldProduct({ body }: Judged): Prediction | undefined {
  if (body.is_price_hidden !== true || body.availability === 'disabled') return undefined
  const message = 'a hidden price needs availability disabled'
  return { rule: `products.is_price_hidden: ${message}`, field: 'is_price_hidden', message }
}

function unreadableEmail({ body }: Judged): Prediction | undefined {
  const { email } = body
  if (typeof email !== 'string' || email === '' || /^[^@\s]+@[^@\s]+$/.test(email)) return undefined
  const message = 'email must be empty or an address'
  return { rule: `product-reviews.email: ${message}`, field: 'email', message }
}
