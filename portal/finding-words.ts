import type { Deletion } from './data/findings.ts'
import type { Issue } from './data/queries.ts'
import { withShownName } from './settings-pages.ts'

/** Why items are on a list, as a person would say it. Its type makes a missing code an error here. */
export const causeWords: Record<Issue['code'], string> = {
  platform_refused: 'BigCommerce refused the item',
  natural_key_conflict: 'Two different items have the same name',
  natural_key_collision: 'Two source items became the same',
  possible_duplicate: 'Something may be there twice',
  missing_reference: 'Something that it needs is missing',
  reference_left_out: 'Copied without something that is missing',
  left_disabled: 'Still switched off',
  mails_muted: 'Order mails are still off',
  stock_not_restored: 'Stock could not be given back',
  parent_failed: 'What it belongs to was not copied',
  hierarchy_broken: 'Its parent does not exist in the source',
  source_gone: 'No longer in the source',
  source_changed: 'The source changed while it was read',
  destination_deleted: 'Created again after it was deleted',
  not_recreated: 'Deleted in the destination, and left so',
  destination_archived: 'Archived in the destination',
  destination_changed: 'An edit in the destination was overwritten',
  copy_of_other_source: 'Also a copy from another store',
  not_pruned: 'Could not be deleted',
  prune_withheld: 'Nothing of this kind is deleted',
  picture_not_fetched: 'Copied without its picture',
  address_changed: 'Copied with another web address',
  address_redirected: 'Its old web address redirects',
  address_lost: 'Its old web address is taken',
  partly_saved: 'BigCommerce kept only a part',
  link_unresolved: 'A link leads nowhere',
  links_rewritten: 'Links now lead to the destination',
  lines_not_linked: 'Order lines without their product',
  picture_reduced: 'Pictures are copied smaller',
  picture_differs: 'A picture is not the same',
  not_copied: 'Not copied, and what to do instead',
  different_setting: 'The two stores are set up differently',
  platform_limit: 'A limit of BigCommerce is near',
  channel_unpaired: 'No storefront to copy it to',
  client_changed: 'Another API account than before',
  would_be_refused: 'BigCommerce would refuse it',
  prune_would_ask: 'A copy would ask before deleting',
  list_refused: 'BigCommerce refused a whole list',
  call_refused: 'The store refused something that it needs',
  deleted_meanwhile: 'Deleted in the destination during the copy',
  unexpected: 'Something unexpected',
}

// Object.keys loses the literal types.
export const causes = Object.keys(causeWords) as [Issue['code'], ...Issue['code'][]]

/** Our words for remedies that the API words for people who write scripts. An issue that is solved keeps its own. */
const remedies: Partial<Record<Issue['code'], string>> = {
  possible_duplicate:
    'Open both items in the destination and delete the one too many by hand. If they are two different items, accept it as it is.',
  missing_reference: 'Copy the missing item first, or include its kind, then run again.',
  not_recreated: 'Nothing to do if it was deleted on purpose.',
  destination_changed: 'Nothing to do: Changes shows the item as it was before.',
  prune_withheld: 'Fix what is named above, then run again; until then nothing of this kind is deleted.',
  list_refused:
    'Try again later, which reads the list again. If BigCommerce refuses it every time, leave this kind out of the migration.',
  would_be_refused: 'Correct the item in the source store before the copy.',
  unexpected: 'Try again. If it stays, report it with the id of the migration from Settings.',
}

/** What happened, with the names that the screens have for pages of settings. */
export function messageOf({ component, item, message }: Pick<Issue, 'component' | 'item' | 'message'>): string {
  return withShownName(component, item.name, plainly(message))
}

/** In the API's remedy when the source itself does not have what the item refers to. It then replaces our remedy. */
const acceptance = /dismiss this/

/** Healing has no name of its own in the portal. */
const retry = /\bheal the migration or run again/i

export function remedyOf({ code, remedy, state }: Pick<Issue, 'code' | 'remedy' | 'state'>): string {
  if (state === 'healed') return plainly(remedy)
  if (acceptance.test(remedy) && code !== 'possible_duplicate')
    return plainly(remedy.replace(acceptance, 'accept it as it is'))
  const words = remedies[code] ?? remedy.replace(retry, (text) => (text.startsWith('H') ? 'Try again' : 'try again'))
  return plainly(words)
}

const settingWords: Record<string, string> = {
  customerConsent: 'Tracking consent of customers',
  recreateErased: 'Created again if deleted',
  overwriteLiving: 'Values your shop changes itself',
  pruneLive: 'Delete what shoppers made',
  themes: 'Themes',
  muteMails: 'Order mails at the destination',
  deepImages: 'Compare sizes of pictures',
  skip: 'Add what is missing',
  update: 'Add and update',
  replace: 'Make the destination match',
}

/** A sentence of the service in which settings have the names that the portal gives them. */
export function plainly(text: string): string {
  return text.replaceAll(/`(\w+)`/g, (whole, name: string) => {
    const words = settingWords[name]
    return words === undefined ? whole : `“${words}”`
  })
}

/** What helped, by the rule that was tried. */
export const ruleWords: Record<string, string> = {
  'read-again': 'Read the list again.',
  'retry-transient': 'Sent it again.',
  'without-picture': 'Sent it without its pictures, and those one by one.',
  'another-address': 'Let BigCommerce choose the web address.',
  'own-address': 'Gave it its own web address.',
  'stale-reference': 'Renewed what it refers to.',
  adopt: 'Took the item that was there already.',
  'map-parents': 'Waited for what it needs.',
  arrived: 'Found that it had arrived.',
  'split-batch': 'Sent it by itself.',
  corrected: 'Sent it as it is in the source now.',
  'gone-at-source': 'Found that the source no longer has it.',
}

export const deletionReasonWords: Record<Deletion['reason'], string> = {
  destination_only: 'The source never had it',
  source_deleted: 'The source has deleted it',
}

/**
 * What is still pending for a copy, in words.
 * @param labelOf returns the label of a part
 */
export function pendingWords(pending: string, labelOf: (part: string) => string): string {
  const [kind = '', part = '', ...id] = pending.split(':')
  if (kind === 'reference' || kind === 'link') return `${labelOf(part).toLowerCase()} ${id.join(':')}`
  return pendingKinds[kind] ?? 'something'
}

const pendingKinds: Record<string, string> = {
  children: 'its parts',
  picture: 'its picture',
  address: 'its web address',
  erased: 'everything: it was deleted there',
}

/** In the timeline, events that a person requested begin with this. */
const asked = 'asked_to_'

/** Whether an event of the timeline is the end. */
export function isEnd(event: string): boolean {
  return event.startsWith('ended_')
}

/** What happened to a migration, by its event in the timeline. */
export function eventWord(event: string): string {
  const words = event.startsWith(asked) ? controlEvents[event.slice(asked.length)] : events[event]
  return words ?? event
}

export const controlEvents: Record<string, string> = {
  pause: 'Asked to pause',
  resume: 'Resumed',
  cancel: 'Asked to cancel',
  heal: 'Tried open items again',
  dismiss: 'Accepted as they are',
  reopen: 'Took back that issues were accepted',
  verify: 'Compared the two stores',
  'sign-off': 'Signed off',
  rename: 'Renamed',
  read: 'Looked at by an administrator',
}

export const events: Record<string, string> = {
  created: 'Created',
  started: 'Started',
  phase_started: 'Began',
  phase_finished: 'Finished',
  taken_over: 'Went on in another process; nothing was lost',
  ended_completed: 'Done',
  ended_partial_completed: 'Done, needs review',
  ended_failed: 'Stopped by a problem',
  ended_cancelled: 'Canceled',
}
