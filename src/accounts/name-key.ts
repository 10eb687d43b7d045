/**
 * One key for all spellings of an organisation's name: NFKC, case-folded, trimmed (S5).
 *
 * JavaScript has no case folding. Upper-casing before lower-casing also treats ß like ss, and both lower-case sigmas
 * alike. Folding may undo the normal form, so the result is normalised again.
 */
export function nameKey(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC').trim()
}

/**
 * Email addresses are compared without case. NFKC is not used: it would make addresses equal that mail servers
 * distinguish.
 */
export function emailKey(email: string): string {
  return email.trim().toLowerCase()
}
