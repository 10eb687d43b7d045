import { refuse } from '../../../http/answers.ts'
import type { Row, SandboxStore } from '../../../store/store.ts'
import { bulkPricingRuleTable } from '../../../tables/product-tables.ts'
import { refuseIfAny } from '../../../validation/body-checks.ts'
import { complaintsAboutMissing, type FieldRules, readFields } from '../../../validation/field-rules.ts'
import { BULK_RULES_PER_PRODUCT } from '../../../validation/product-fields.ts'

const RULES: FieldRules = {
  quantity_min: { kind: 'integer', min: 0 },
  quantity_max: { kind: 'integer', min: 0 },
  type: { kind: 'text', oneOf: ['price', 'percent', 'fixed'] },
  amount: { kind: 'number', min: 0 },
}

const REQUIRED = Object.keys(RULES)

export function bulkPricingRuleAnswer({ id, quantity_min, quantity_max, type, amount }: Row): Record<string, unknown> {
  return { id, quantity_min, quantity_max, type, amount }
}

/** The quantities of two rules of a product must not overlap. Source: the 409 of the published call. */
export function saveBulkPricingRule(store: SandboxStore, product: Row, body: Record<string, unknown>, own?: Row): Row {
  const table = bulkPricingRuleTable(store)
  const { values, errors } = readFields(RULES, body)
  refuseIfAny({ ...(own ? {} : complaintsAboutMissing(REQUIRED, body)), ...errors })
  const requested = { ...own, ...values }
  if (Number(requested.quantity_min) > lastOf(requested))
    refuseIfAny({ quantity_max: 'quantity_max must not be below quantity_min' })
  const others = table.find({ product_id: product.id }).filter((row) => row.id !== own?.id)
  if (!own && others.length >= BULK_RULES_PER_PRODUCT) {
    refuseIfAny({ bulk_pricing_rules: `A product can have at most ${BULK_RULES_PER_PRODUCT} bulk pricing rules` })
  }
  if (others.some((other) => overlap(other, requested))) {
    refuse(409, 'The bulk pricing rule overlaps with another', {
      quantity_min: 'the quantity range overlaps with that of another bulk pricing rule',
    })
  }
  return own ? table.update(own.id, values) : table.insert({ product_id: product.id, ...values })
}

/** A maximum of 0 means "and more". */
function lastOf(rule: Record<string, unknown>): number {
  return Number(rule.quantity_max) || Infinity
}

function overlap(left: Record<string, unknown>, right: Record<string, unknown>): boolean {
  return Number(left.quantity_min) <= lastOf(right) && Number(right.quantity_min) <= lastOf(left)
}
