/**
 * One key for all spellings of an organisation's name: NFKC, case-folded, trimmed (S5).
 *
 * JavaScript has no case folding. Upper-casing before lower-casing also folds ß with ss and both lower-case sigmas.
 * Folding can undo the normal form, so the result is normalised again.
 */
export function nameKey(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC').trim()
}

/**
 * Email addresses are compared case-insensitively. Without NFKC, which would merge addresses that mail servers
 * distinguish.
 */
export function emailKey(email: string): string {
  return email.trim().toLowerCase()
}
