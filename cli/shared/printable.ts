/** Store text may contain terminal control sequences; they are shown as question marks. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}|\p{Cf}/gu, '?')
}
