/**
 * Amounts as numbers, wherever they are inside: the platform answers a text for a number and pads it with zeros, so that two equal
 * ones look different.
 */
export function plainAmounts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainAmounts)
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([field, of]) => [field, plainAmounts(of)]))
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
}
