import { listed } from '../../format/listed.ts'
import { counted } from '../../format/number.ts'
import { type Draft, deletesOfShoppers, themesOf } from './draft.ts'

/** What a migration can do to the two shops, as a sentence. The mark says how serious it is. */
export interface Effect {
  mark: '+' | '=' | '×' | '!'
  text: string
}

export function effectsOf(draft: Draft): Effect[] {
  const { isTrial, strategy, muteMails } = draft
  if (isTrial) return [{ mark: '=', text: 'Changes nothing in either store.' }, sourceStays]
  return [
    { mark: '+', text: 'Creates items that the destination does not have.' },
    strategy === 'skip'
      ? { mark: '=', text: 'Leaves existing items as they are.' }
      : { mark: '!', text: `Changes items that differ from the source. ${ownValues(draft)}` },
    strategy === 'replace' ? { mark: '×', text: deletes(draft) } : { mark: '=', text: 'Deletes nothing.' },
    ...(deletesOfShoppers(draft)
      ? [{ mark: '×' as const, text: 'Deletes what shoppers made there, too, as far as it is ticked under How.' }]
      : []),
    ...(draft.createAgain.length > 0
      ? [
          {
            mark: '!' as const,
            text: 'Creates people’s data again that was deleted there, as far as it is ticked under How.',
          },
        ]
      : []),
    ...(themesOf(draft) === 'activate'
      ? [{ mark: '!' as const, text: 'Makes the storefronts look like those of the source.' }]
      : []),
    muteMails
      ? { mark: '=', text: 'Sends shoppers no mail.' }
      : { mark: '!', text: 'Shoppers may get mail about years-old orders.' },
    sourceStays,
  ]
}

const sourceStays: Effect = { mark: '=', text: 'Never writes to the source.' }

function ownValues({ overwrite }: Draft): string {
  return overwrite.length === 0
    ? 'Stock and what your shop changes itself stay.'
    : 'Overwrites stock and what your shop changes itself, as far as it is ticked under How.'
}

function deletes({ confirmsDeletions, deletionPercent, deletionItems }: Draft): string {
  const what = 'Deletes catalog and content that only the destination has'
  if (confirmsDeletions) return `${what}, after you saw the list.`
  const items = deletionItems === '1' ? 'item' : 'items'
  return `${what}. Asks before more than ${deletionPercent}% of a kind or ${deletionItems} ${items}.`
}

/**
 * What another migration into the same store means, before and after its name. A copy waits for its turn to write; a
 * trial run only reads, and may read what is being written.
 */
export function busyWords(isTrial: boolean): { before: string; after: string } {
  return isTrial
    ? { before: 'What the trial run finds may change:', after: 'writes to the same store, or is about to.' }
    : { before: 'It waits until', after: 'has finished writing to the same store.' }
}

/** What people fear most, in two words. */
export function briefEffect({ isTrial, strategy }: Pick<Draft, 'isTrial' | 'strategy'>): string {
  if (isTrial) return 'changes nothing'
  return strategy === 'replace' ? 'deletes' : 'deletes nothing'
}

/** What is compared with its copy: where existing items are left as they are, only copies that still lack something. */
export function comparedWords(strategy: Draft['strategy']): string {
  return strategy === 'skip' ? 'to be completed' : 'seem changed'
}

/** The choices in a few sentences, before the migration is started. */
export function sentencesOf(draft: Draft): string[] {
  const { isTrial, strategy, confirmsDeletions } = draft
  const how = {
    skip: 'Adds what is missing. Deletes nothing.',
    update: 'Adds what is missing and updates what differs. Deletes nothing.',
    replace: `Adds, updates and deletes${confirmsDeletions ? ' after you saw the list' : ''}.`,
  }
  return isTrial ? ['Changes nothing: it says what a copy would do.'] : [how[strategy]]
}

/** More kinds than this are counted, because people do not read a longer list. */
const mostNamed = 3

/** @param labels of kinds, by their keys */
export function scopeWords(
  { scope, kinds, picks, templates, pagesOf }: Draft,
  labels: ReadonlyMap<string, string>,
): string {
  const named = kinds.map((key) => labels.get(key)?.toLowerCase() ?? key)
  const words = {
    everything: 'everything',
    kinds: kinds.length <= mostNamed ? listed(named) : `${kinds.length} kinds`,
    items: picks.length === 1 ? 'one picked item' : `${picks.length} picked items`,
    templates: templates.some((file) => pagesOf[file])
      ? `picked pages of ${counted(templates.length, 'template')}`
      : templates.length === 1
        ? 'the pages of one template'
        : `the pages of ${templates.length} templates`,
  }
  return words[scope]
}
