import { z } from 'zod'
import { limits } from './limits.ts'

/** Non-empty text typed by a person. `perform` refuses characters that PostgreSQL cannot store. */
export const text = z
  .string()
  .min(1, { error: 'Must not be empty.', abort: true })
  .max(limits.textLength, `Must have at most ${limits.textLength} characters.`)

/**
 * Characters that are invisible or change how text is displayed. Some are used in spelling Persian or Hindi; names do
 * without them.
 */
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|\p{Default_Ignorable_Code_Point}/u
/** Scripts whose letters look like those of another script. Source: Unicode Technical Standard 39, confusables. */
const lookAlikes = ['Latin', 'Greek', 'Cyrillic', 'Armenian', 'Coptic', 'Cherokee'].map(
  (script) => new RegExp(`\\p{Script=${script}}`, 'u'),
)

const notBlank = 'Must not be blank.'

/** What a migration or a store is called. In the portal it is a link: it has to be seen. */
export const visibleText = text.refine(
  (given) => /[^\s\p{Cc}\p{Cf}\p{Z}\u2800\p{Default_Ignorable_Code_Point}]/u.test(given),
  notBlank,
)

/**
 * The name of a person or an organisation: no other name may look the same (S36). Words in different scripts are
 * allowed, a word that mixes look-alike scripts is not. The length limit also applies to the normalised form by which
 * names are compared (S5).
 */
export const name = text
  .refine((given) => given.trim() !== '', notBlank)
  .refine((given) => !hidden.test(given), 'Must not contain invisible characters.')
  .refine(
    (given) => given.split(/[\s\p{P}\p{S}]+/u).every((word) => lookAlikes.filter((one) => one.test(word)).length < 2),
    'Must not mix letters of different scripts in a word; they could look like another name.',
  )
  .refine(
    (given) => given.normalize('NFKC').length <= limits.textLength,
    `Must have at most ${limits.textLength} characters, with ligatures written out.`,
  )
