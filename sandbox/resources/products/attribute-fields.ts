import type { FieldRules } from '../../validation/field-rules.ts'

/** Fields that options and modifiers share. */
export const ATTRIBUTE_FIELDS: FieldRules = {
  display_name: { kind: 'text', min: 1, max: 255 },
  sort_order: { kind: 'integer' },
  image_url: { kind: 'text' },
}
