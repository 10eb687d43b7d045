/**
 * Turns amounts into numbers, at any depth. The platform returns some as strings padded with zeros, so equal amounts
 * would look different.
 */
export function plainAmounts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainAmounts)
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([field, of]) => [field, plainAmounts(of)]))
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
}
