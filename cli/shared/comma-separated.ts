export function commaSeparated(text: string): string[] {
  return text.split(',').map((one) => one.trim())
}
