import { refuse } from '../../../http/answers.ts'
import type { Row, SandboxStore } from '../../../store/store.ts'
import { modifierValueTable } from '../../../tables/product-tables.ts'
import { refuseIfAny } from '../../../validation/body-checks.ts'
import { CHOICE_TYPES } from './option-rows.ts'
import type { ValueKind } from './values.ts'

type Body = Record<string, unknown>

const FREE_TYPES = ['date', 'checkbox', 'file', 'text', 'multi_line_text', 'numbers_only_text'] as const
export const MODIFIER_TYPES: readonly string[] = [...FREE_TYPES, ...CHOICE_TYPES]

/** Adjusters without any effect. Source: the example of the published modifier list. */
const NO_ADJUSTERS = { price: {}, weight: {}, image_url: '', purchasing_disabled: { status: false, message: '' } }

export const modifierValues: ValueKind = {
  table: modifierValueTable,
  ownerField: 'modifier_id',
  more: (body, row) => ({ adjusters: adjusters(body.adjusters, row) }),
}

function adjusters(given: unknown, row: Row | undefined): unknown {
  const before = { ...NO_ADJUSTERS, ...(row?.adjusters as Body | undefined) }
  if (given === undefined || given === null) return before
  const requested = given as Body
  for (const name of ['price', 'weight']) refuseBadAdjuster(name, requested[name])
  return { ...before, ...requested }
}

function refuseBadAdjuster(name: string, given: unknown): void {
  const { adjuster, adjuster_value } = (given ?? {}) as { adjuster?: unknown; adjuster_value?: unknown }
  if (adjuster !== undefined && adjuster !== null && adjuster !== 'relative' && adjuster !== 'percentage') {
    refuseIfAny({ [`adjusters.${name}`]: 'adjuster must be relative or percentage' })
  }
  if (adjuster_value !== undefined && adjuster_value !== null && typeof adjuster_value !== 'number') {
    refuseIfAny({ [`adjusters.${name}`]: 'adjuster_value must be a number' })
  }
}

/** Refuses values for a checkbox, which has its own two, and for types that have free text. */
export function refuseValuesFor(type: string, values: readonly unknown[]): void {
  if (values.length === 0) return
  if (type === 'checkbox') {
    refuseIfAny({
      option_values: 'option_values cannot be given when a checkbox is created; update its values afterwards',
    })
  }
  if ((FREE_TYPES as readonly string[]).includes(type))
    refuseIfAny({ option_values: `a ${type} modifier has no values` })
}

/** Inserts the two values of a new checkbox. */
export function insertCheckboxValues(store: SandboxStore, modifier: Row): void {
  const checked = (modifier.config as { checked_by_default?: boolean } | undefined)?.checked_by_default === true
  for (const [sortOrder, checkedValue] of [true, false].entries()) {
    modifierValueTable(store).insert({
      modifier_id: modifier.id,
      product_id: modifier.product_id,
      label: checkedValue ? 'Yes' : 'No',
      sort_order: sortOrder,
      value_data: { checked_value: checkedValue },
      is_default: checked === checkedValue,
      adjusters: NO_ADJUSTERS,
    })
  }
}

/** The ATOM format of PHP: date, time, and an offset in hours and minutes. */
const ATOM_DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/

const DATES_OF_MODE: Record<string, readonly string[]> = {
  earliest: ['date_earliest_value'],
  latest: ['date_latest_value'],
  range: ['date_earliest_value', 'date_latest_value'],
}

/**
 * Fails with a server error if a date has another format, as the platform does. Source: the published modifier POST.
 */
export function failOnBadDates(type: unknown, config: unknown): void {
  if (type !== 'date' || config === null || typeof config !== 'object') return
  const given = config as Body
  const needed = given.date_limited === true ? (DATES_OF_MODE[String(given.date_limit_mode)] ?? []) : []
  const spelled = ['date_earliest_value', 'date_latest_value', 'default_value'].filter((field) => isGiven(given[field]))
  for (const field of new Set([...needed, ...spelled])) {
    if (!ATOM_DATE.test(String(given[field]))) refuse(500, 'Internal Server Error')
  }
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}
