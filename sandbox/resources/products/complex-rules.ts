import { refuse } from '../../http/answers.ts'
import type { SandboxResource } from '../../http/resource.ts'
import type { Row, SandboxStore, Table } from '../../store/store.ts'
import { complexRuleTable, modifierTable, modifierValueTable, variantTable } from '../../tables/product-tables.ts'
import { refuseIfAny, rowsIn } from '../../validation/body-checks.ts'
import { type FieldRules, readFields, withFallbacks } from '../../validation/field-rules.ts'
import { productChildRoutes } from './product-child.ts'

type Body = Record<string, unknown>

const RULES: FieldRules = {
  sort_order: { kind: 'integer', min: -2_147_483_648, max: 2_147_483_647, fallback: 0 },
  enabled: { kind: 'boolean', fallback: true },
  stop: { kind: 'boolean', fallback: false },
  purchasing_disabled: { kind: 'boolean', fallback: false },
  purchasing_disabled_message: { kind: 'text', max: 255, fallback: '' },
  purchasing_hidden: { kind: 'boolean', fallback: false },
  image_url: { kind: 'text', fallback: '' },
}

const ADJUSTER: FieldRules = {
  adjuster: { kind: 'text', oneOf: ['relative', 'percentage'], nullable: true },
  adjuster_value: { kind: 'number' },
}
const ADJUSTERS = ['price_adjuster', 'weight_adjuster']

interface Condition {
  modifier_id: number | null
  modifier_value_id: number | null
  variant_id: number | null
}

function shown(row: Row): Body {
  // Only this file writes the field.
  const conditions = row.conditions as Condition[]
  return { ...row, conditions: conditions.map((one) => ({ rule_id: row.id, ...one, combination_id: 0 })) }
}

function save(store: SandboxStore, product: Row, body: Body, own?: Row): Row {
  const table = complexRuleTable(store)
  const { values, errors } = readFields(RULES, body)
  refuseIfAny(errors)
  const fields = { ...values, ...adjustersOf(body), ...conditionsOf(store, product, body, own) }
  if (fields.conditions) refuseSameConditions(table, product, fields.conditions, own)
  if (own) return table.update(own.id, fields)
  const unadjusted = { price_adjuster: {}, weight_adjuster: {} }
  return table.insert({ product_id: product.id, ...withFallbacks(RULES, values), ...unadjusted, ...fields })
}

function adjustersOf(body: Body): Body {
  const read: Body = {}
  for (const name of ADJUSTERS) {
    const given = body[name]
    if (given === undefined) continue
    if (given !== null && typeof given !== 'object') refuseIfAny({ [name]: `${name} must be an object` })
    const { values, errors } = readFields(ADJUSTER, { ...(given as object | null) })
    refuseIfAny(Object.fromEntries(Object.entries(errors).map(([field, text]) => [`${name}.${field}`, text])))
    read[name] = values
  }
  return read
}

/**
 * The conditions of a body. A PUT without conditions leaves them unchanged. Rules of the control panel may have others
 * than those accepted here. Source: `conditions` of the published rule.
 */
function conditionsOf(store: SandboxStore, product: Row, body: Body, own?: Row): { conditions?: Condition[] } {
  if (own && body.conditions === undefined) return {}
  const conditions = rowsIn(body, 'conditions').map(conditionOf)
  const choices = conditions.filter(({ modifier_value_id }) => modifier_value_id !== null)
  const ofVariant = conditions.some(({ variant_id }) => variant_id !== null)
  if (choices.length < (ofVariant ? 1 : 2))
    refuseIfAny({ conditions: 'A complex rule needs several modifier values, or a modifier value and a variant' })
  for (const [index, condition] of conditions.entries()) refuseStrangers(store, product, condition, index)
  return { conditions }
}

function conditionOf(given: Body): Condition {
  const id = (field: string) => (given[field] === undefined || given[field] === null ? null : Number(given[field]))
  return {
    modifier_id: id('modifier_id'),
    modifier_value_id: id('modifier_value_id'),
    variant_id: id('variant_id'),
  }
}

/** Conditions may only refer to modifier values and variants of this product. */
function refuseStrangers(store: SandboxStore, product: Row, condition: Condition, index: number): void {
  const { modifier_id, modifier_value_id, variant_id } = condition
  const isOwn = (table: Table, id: number) => table.get(id)?.product_id === product.id
  const refuseField = (field: string, text: string) => refuseIfAny({ [`conditions.${index}.${field}`]: text })
  if (modifier_id === null && variant_id === null) refuseField('modifier_id', 'a modifier or a variant is required')
  if (modifier_id !== null && !isOwn(modifierTable(store), modifier_id))
    refuseField('modifier_id', `the product has no modifier ${modifier_id}`)
  if (modifier_id !== null && modifierValueTable(store).get(modifier_value_id ?? 0)?.modifier_id !== modifier_id)
    refuseField('modifier_value_id', `the modifier has no value ${modifier_value_id}`)
  if (variant_id !== null && !isOwn(variantTable(store), variant_id))
    refuseField('variant_id', `the product has no variant ${variant_id}`)
}

function refuseSameConditions(table: Table, product: Row, conditions: Condition[], own?: Row): void {
  const requested = keyOf(conditions)
  const others = table.find({ product_id: product.id }).filter((row) => row.id !== own?.id)
  if (!others.some((row) => keyOf(row.conditions as Condition[]) === requested)) return
  refuse(409, 'The complex rule is a duplicate', { conditions: 'another rule has the same conditions' })
}

function keyOf(conditions: Condition[]): string {
  return conditions
    .map((one) => `${one.modifier_id}:${one.modifier_value_id}:${one.variant_id}`)
    .sort()
    .join(',')
}

export const complexRules: SandboxResource = {
  key: 'complex-rules',
  routes: productChildRoutes({ path: 'complex-rules', table: complexRuleTable, shown, save }),
}
