/** A time as the catalogue writes it: UTC with an offset and without milliseconds, `2024-05-14T09:34:00+00:00`. */
export function catalogDate(moment: Date): string {
  return moment.toISOString().replace(/\.\d{3}Z$/, '+00:00')
}

export function now(): string {
  return catalogDate(new Date())
}
