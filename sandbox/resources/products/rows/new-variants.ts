import type { Row, SandboxStore } from '../../../store/store.ts'
import { readFields } from '../../../validation/field-rules.ts'
import { VALUES_PER_OPTION, VARIANT_FIELDS, VARIANTS_PER_PRODUCT } from '../../../validation/product-fields.ts'
import { DERIVED_OPTION_TYPE, insertOption, insertOptionValue } from './option-rows.ts'
import { insertVariantRow } from './variant-rows.ts'

/** Creates the variants of a new product. Derives its options from their labels, in the order in which these occur. */
export function insertVariantsWithOptions(
  store: SandboxStore,
  productId: number,
  variants: Record<string, unknown>[],
  nowMs: number,
): void {
  const optionsByName = new Map<string, Row>()
  const valuesByLabel = new Map<string, Row>()
  for (const variant of variants) {
    const optionValues = labelled(variant).map((given) => {
      const option = getOrInsert(optionsByName, given.option_display_name.toLowerCase(), () =>
        insertDerivedOption(store, productId, given.option_display_name, optionsByName.size, nowMs),
      )
      const value = getOrInsert(valuesByLabel, `${option.id} ${given.label.toLowerCase()}`, () =>
        insertOptionValue(store, option, { label: given.label }, valuesOf(valuesByLabel, option)),
      )
      return { option_id: option.id, id: value.id }
    })
    insertVariantRow(store, productId, readFields(VARIANT_FIELDS, variant).values, optionValues)
  }
}

function insertDerivedOption(
  store: SandboxStore,
  productId: number,
  displayName: string,
  order: number,
  nowMs: number,
): Row {
  const type = String(store.switches.derived_option_type ?? DERIVED_OPTION_TYPE)
  return insertOption(store, productId, { display_name: displayName, type, sort_order: order }, nowMs)
}

function valuesOf(valuesByLabel: Map<string, Row>, option: Row): number {
  return [...valuesByLabel.values()].filter((value) => value.option_id === option.id).length
}

function getOrInsert(rows: Map<string, Row>, key: string, insert: () => Row): Row {
  const row = rows.get(key) ?? insert()
  rows.set(key, row)
  return row
}

interface LabelledChoice {
  option_display_name: string
  label: string
}

function labelled(variant: Record<string, unknown>): LabelledChoice[] {
  // complaintsAboutVariants has already refused any other shape.
  return (Array.isArray(variant.option_values) ? variant.option_values : []) as LabelledChoice[]
}

/**
 * Errors in the `variants` of a create, found before anything is written. Keys look like `variants.<index>.<field>`.
 */
export function complaintsAboutVariants(variants: Record<string, unknown>[]): Record<string, string> {
  const errors: Record<string, string> = {}
  if (variants.length > VARIANTS_PER_PRODUCT)
    errors.variants = `A product can have at most ${VARIANTS_PER_PRODUCT} variants`
  const combinations = new Set<string>()
  for (const [index, variant] of variants.entries()) {
    for (const [field, message] of Object.entries(readFields(VARIANT_FIELDS, variant).errors)) {
      errors[`variants.${index}.${field}`] = message
    }
    const given = variant.option_values
    if (!Array.isArray(given) || given.length === 0 || !given.every(isLabelled)) {
      errors[`variants.${index}.option_values`] = 'option_values need an option_display_name and a label each'
      continue
    }
    if (optionNames(variant) !== optionNames(variants[0] ?? variant)) {
      errors[`variants.${index}.option_values`] = 'every variant must name the same options'
    }
    const combination = JSON.stringify(
      labelled(variant)
        .map((choice) => [choice.option_display_name, choice.label])
        .sort(),
    )
    if (combinations.has(combination))
      errors[`variants.${index}.option_values`] = 'another variant has the same option values'
    combinations.add(combination)
  }
  return { ...errors, ...complaintsAboutValues(variants) }
}

/** Options are created from labels, so each option may have only so many different labels. */
function complaintsAboutValues(variants: Record<string, unknown>[]): Record<string, string> {
  const labels = new Map<string, Set<string>>()
  for (const choice of variants.flatMap(labelled).filter(isLabelled)) {
    const option = choice.option_display_name.toLowerCase()
    labels.set(option, (labels.get(option) ?? new Set()).add(choice.label.toLowerCase()))
  }
  const isFull = [...labels.values()].some(({ size }) => size > VALUES_PER_OPTION)
  return isFull ? { variants: `An option can have at most ${VALUES_PER_OPTION} values` } : {}
}

function optionNames(variant: Record<string, unknown>): string {
  return JSON.stringify(
    labelled(variant)
      .map((choice) => String(choice.option_display_name).toLowerCase())
      .sort(),
  )
}

function isLabelled(choice: unknown): choice is LabelledChoice {
  const { option_display_name, label } = (choice ?? {}) as Partial<LabelledChoice>
  return (
    typeof option_display_name === 'string' && option_display_name !== '' && typeof label === 'string' && label !== ''
  )
}
