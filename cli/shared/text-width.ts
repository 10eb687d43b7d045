/** What a person takes for one character: with its accents, or an emoji of several code points. */
const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Terminals show these in two columns: ideographs, emoji, and wide forms. Narrow Japanese letters are two with their mark. */
const wide =
  /^(?:\p{Emoji_Presentation}|.\uFE0F|[\uFF61-\uFF9D][\uFF9E\uFF9F]|(?![\uFF61-\uFFDC])[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Bopo}\p{sc=Yiii}\u3000-\u303E\uFF01-\uFF60\uFFE0-\uFFE6])/u

/** How many columns of a terminal a text takes. */
export function widthOfText(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length
  return [...characters.segment(text)].reduce((sum, { segment }) => sum + widthOf(segment), 0)
}

/** Ends in an ellipsis if the text is cut. A wide character that does not fit leaves its column empty. */
export function shorten(text: string, most: number): string {
  if (widthOfText(text) <= most) return text
  let [kept, width] = ['', 0]
  for (const { segment } of characters.segment(text)) {
    width += widthOf(segment)
    if (width >= most) break
    kept += segment
  }
  return `${kept}…`
}

function widthOf(character: string): number {
  return wide.test(character) ? 2 : 1
}
