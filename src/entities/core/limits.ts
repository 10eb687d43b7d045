import type { FieldLimit } from '../../model/refusal-rules.ts'

/*
 * Limits that several components share. Sources of all limits: the published catalogue specifications and the platform
 * limits of the Help Center.
 */
export const text: FieldLimit = { longest: 255 }
export const longText: FieldLimit = { longest: 65_535 }
export const sortOrder: FieldLimit = { least: -2_147_483_648, most: 2_147_483_647 }
