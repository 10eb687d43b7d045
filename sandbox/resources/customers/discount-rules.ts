import type { SandboxStore, Table } from '../../store/store.ts'
import { categoriesTable } from '../../tables/category-tables.ts'
import { priceListTable } from '../../tables/price-tables.ts'
import { productTable } from '../../tables/product-tables.ts'

type Body = Record<string, unknown>

/** For each type of rule, the field with what it applies to. A rule for everything has none. */
const NAMED: Record<string, { field: string; table: (store: SandboxStore) => Table } | null> = {
  all: null,
  price_list: { field: 'price_list_id', table: priceListTable },
  category: { field: 'category_id', table: categoriesTable },
  product: { field: 'product_id', table: productTable },
}

const METHODS = ['percent', 'fixed', 'price']

/**
 * Errors in a group's discounts: a price list must be the only rule, at most one rule applies to everything, and what
 * rules name must exist. Source: the request schema of the published v2 customers specification. Looking up the ids is
 * our choice.
 */
export function complaintAboutRules(store: SandboxStore, rules: unknown): string | undefined {
  if (!Array.isArray(rules)) return 'discount_rules must be an array'
  const types = rules.map((rule) => (rule as Body | null)?.type)
  if (types.includes('price_list') && rules.length > 1) return 'a price_list rule must be the only rule'
  if (types.filter((type) => type === 'all').length > 1) return 'there can be one rule of the type all'
  return rules.map((rule) => complaintAboutRule(store, (rule ?? {}) as Body)).find((complaint) => complaint)
}

function complaintAboutRule(store: SandboxStore, rule: Body): string | undefined {
  const type = String(rule.type)
  const named = NAMED[type]
  if (named === undefined) return `type must be one of: ${Object.keys(NAMED).join(', ')}`
  if (named && !/^\d+$/.test(String(rule[named.field]))) return `${named.field} must be an integer`
  if (named && !named.table(store).get(Number(rule[named.field])))
    return `${named.field} ${rule[named.field]} does not exist`
  if (type === 'price_list') return undefined
  if (!METHODS.includes(String(rule.method))) return `method must be one of: ${METHODS.join(', ')}`
  return isAmount(rule.amount) ? undefined : 'amount must be a number of at least 0'
}

/** Accepts a number, or a number as a string. */
function isAmount(amount: unknown): boolean {
  if (typeof amount !== 'number' && (typeof amount !== 'string' || amount.trim() === '')) return false
  return Number(amount) >= 0
}

/** A rule as stored: a price list has no other fields, and amounts are strings with four decimals. */
export function ruleRow(rule: Body): Body {
  const { type, method, amount } = rule
  if (type === 'price_list') return { type, price_list_id: Number(rule.price_list_id) }
  const field = NAMED[String(type)]?.field
  return { type, ...(field && { [field]: Number(rule[field]) }), method, amount: Number(amount).toFixed(4) }
}
