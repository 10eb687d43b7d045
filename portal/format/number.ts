const whole = new Intl.NumberFormat('en-US')

export function wholeNumber(value: number): string {
  return whole.format(value)
}

/** "1 store", "2 stores". */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${whole.format(value)} ${value === 1 ? one : many}`
}

/** Rounded down, so that 100% means finished. */
export function wholePercent(percent: number): string {
  return `${Math.floor(percent)}%`
}
