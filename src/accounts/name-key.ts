/**
 * One key for every spelling of an organisation's name: NFKC, case folding, trimmed (S5).
 *
 * JavaScript has no case folding; upper case first and lower case after it folds what lower case alone keeps apart (ß and ss,
 * the two small sigmas). Folding may undo the normal form, so it is made normal again.
 */
export function nameKey(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC').trim()
}

/** E-mail addresses are compared without case. Not NFKC: that would make one of two addresses that mail servers keep apart. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase()
}
