import { InvalidArgumentError } from 'commander'

export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Give a whole number.')
  return Number(text)
}

export function portNumber(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65535) throw new InvalidArgumentError('Give a port from 0 to 65535.')
  return Number(text)
}

/** "1 item", "2 items". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

export function share(text: string): number {
  const number = Number(text)
  if (/^\d{1,3}(\.\d+)?$/.test(text) && number <= 100) return number
  throw new InvalidArgumentError('Give a number from 0 to 100.')
}
