/**
 * Whether a person has typed a name. They cannot see how many spaces it has, or characters without a shape, such as the
 * marks around a name in Hebrew or Arabic.
 */
export function isSameName(typed: string, name: string): boolean {
  return visible(typed) === visible(name)
}

function visible(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}|\p{Bidi_Control}/gu, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}
