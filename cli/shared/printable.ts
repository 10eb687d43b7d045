/** Store text may contain terminal control sequences; they are shown as question marks. Characters that join letters stay. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}|(?!\p{Join_Control})\p{Cf}/gu, '?')
}
