import { type FieldRule, type FieldRules, readFields, withFallbacks } from '../../validation/field-rules.ts'
import type { SettingFields, SettingPart } from './setting-groups.ts'

type Values = Record<string, unknown>

/** Separates plain fields from nested ones, so that the same rules can read both. */
function split(fields: SettingFields): { plain: FieldRules; parts: [string, FieldRules][] } {
  const isPartialRun = (rule: FieldRule | SettingPart): rule is SettingPart => 'part' in rule
  const plain: FieldRules = {}
  const parts: [string, FieldRules][] = []
  for (const [name, rule] of Object.entries(fields)) {
    if (isPartialRun(rule)) parts.push([name, rule.part])
    else plain[name] = rule
  }
  return { plain, parts }
}

/** @param kept the stored values. A nested object in the body keeps fields that it does not contain. */
export function readSettings(fields: SettingFields, body: Values, kept: Values = {}) {
  const { plain, parts } = split(fields)
  const { values, errors } = readFields(plain, body)
  for (const [name, rules] of parts) {
    if (body[name] === undefined) continue
    if (!isObject(body[name])) {
      errors[name] = `${name} must be an object`
      continue
    }
    const inside = readFields(rules, body[name])
    for (const [field, text] of Object.entries(inside.errors)) errors[`${name}.${field}`] = text
    values[name] = withFallbacks(rules, { ...(kept[name] as Values | undefined), ...inside.values })
  }
  return { values, errors }
}

export function withSettingFallbacks(fields: SettingFields, values: Values): Values {
  const { plain, parts } = split(fields)
  const inside = parts.map(([name, rules]) => [name, withFallbacks(rules, (values[name] as Values | undefined) ?? {})])
  return { ...withFallbacks(plain, values), ...Object.fromEntries(inside) }
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
