type Body = Record<string, unknown>

const isObject = (value: unknown): value is Body => typeof value === 'object' && value !== null && !Array.isArray(value)

const ACTIONS = ['cart_value', 'cart_items', 'gift_item', 'fixed_price_set', 'shipping']
const ID_MATCHERS = ['brands', 'categories', 'products', 'variants']
const TEXT_MATCHERS = ['product_option', 'product_custom_field']

/** Errors in the rules of a promotion. Does not check whether their items exist (our choice). */
export function complaintsAboutRules(rules: unknown): string[] {
  if (!Array.isArray(rules) || rules.length === 0) return ['rules must be a list with one rule at least']
  return rules.flatMap((rule: unknown, at) => complaintsAboutRule(rule).map((complaint) => `rules.${at}: ${complaint}`))
}

function complaintsAboutRule(rule: unknown): string[] {
  if (!isObject(rule)) return ['must be an object']
  const condition = rule.condition === undefined ? [] : complaintsAboutCondition(rule.condition)
  return [...complaintsAboutAction(rule.action), ...condition]
}

function complaintsAboutAction(action: unknown): string[] {
  if (!isObject(action)) return ['action is required']
  const kinds = Object.keys(action).filter((kind) => ACTIONS.includes(kind))
  const [kind = ''] = kinds
  const given = action[kind]
  if (kinds.length !== 1 || !isObject(given)) return ['action must be one of the kinds of action']
  if (kind === 'shipping') return complaintsAboutZones(given.zone_ids)
  if (kind === 'gift_item' && !Number.isInteger(given.quantity)) return ['gift_item needs a quantity']
  if (kind.startsWith('cart_') && !isObject(given.discount)) return [`${kind} needs a discount`]
  if (kind === 'fixed_price_set' && (given.fixed_price === undefined || given.quantity === undefined))
    return ['fixed_price_set needs fixed_price and quantity']
  return given.items === undefined ? [] : complaintsAboutItems(given.items)
}

function complaintsAboutZones(zones: unknown): string[] {
  const good = zones === '*' || (Array.isArray(zones) && zones.every((id) => Number.isInteger(id) && id > 0))
  return good ? [] : ['zone_ids must be * or a list of ids']
}

function complaintsAboutCondition(condition: unknown): string[] {
  if (!isObject(condition)) return ['condition must be an object']
  if (Array.isArray(condition.and)) return condition.and.flatMap(complaintsAboutCondition)
  const { cart } = condition
  if (!isObject(cart)) return ['condition must be about the cart']
  return cart.items === undefined ? [] : complaintsAboutItems(cart.items)
}

function complaintsAboutItems(items: unknown): string[] {
  if (!isObject(items)) return ['items must be an object']
  if (items.not !== undefined) return complaintsAboutItems(items.not)
  const several = items.and ?? items.or
  if (several !== undefined) return Array.isArray(several) ? several.flatMap(complaintsAboutItems) : ['and, or: lists']
  const [kind = ''] = Object.keys(items)
  const ids = items[kind]
  if (TEXT_MATCHERS.includes(kind)) return isObject(ids) ? [] : [`${kind} must be an object`]
  const good = ID_MATCHERS.includes(kind) && Array.isArray(ids) && ids.every(Number.isInteger)
  return good ? [] : ['items must name brands, categories, products, variants, an option or a custom field']
}
