/** Every issue code with its remedy, written for merchants. docs/issues.md has a section on each. */
export const issueRemedies = {
  platform_refused: 'Correct the item in the source store as the platform’s message says, then run again.',
  natural_key_conflict:
    'Two different items have the same name. Rename one of them in the source or the destination store, then run again.',
  natural_key_collision:
    'Another source item already matches this destination item. Give the two source items different names or SKUs, then run again.',
  possible_duplicate:
    'Open both items at the destination and delete the one that is too many by hand. If they are two different items, dismiss this.',
  missing_reference: 'Copy the missing item first, or include its entity in the run, then run again.',
  reference_left_out: 'The copy works without it. Copy the missing item, then run again to complete the copy.',
  left_disabled:
    'Copy what is missing and run again, which switches it on; or correct it and switch it on at the destination by hand.',
  mails_muted:
    'Check that the store responds and that its token may write settings; the emails are then switched on automatically. Or switch them on in the control panel.',
  stock_not_restored:
    'Compare the stock that the message names with your actual stock, and correct it at the destination by hand.',
  parent_failed: 'Correct the item it belongs to, then run again.',
  hierarchy_broken: 'Give the item an existing parent in the source store, then run again.',
  source_gone:
    'Nothing to do if the item was deleted in the source store during the run; if you picked it, check its id.',
  source_changed: 'Run again to pick up the rest.',
  destination_deleted: 'Nothing to do: the item had been deleted at the destination and was created again.',
  not_recreated:
    'Nothing to do if it was deleted on purpose. To create it again, name its component in `recreateErased` and run again.',
  destination_archived:
    'Nothing to do if the order was archived on purpose; otherwise restore it at the destination, because it is never copied a second time.',
  destination_changed:
    'Nothing to do: an edit made at the destination was overwritten. The before-image shows the edited item.',
  copy_of_other_source:
    'Decide which of the two stores the item should follow, and leave it out of migrations from the other one.',
  not_pruned: 'Delete it at the destination by hand if you want it gone; the message has the reason for keeping it.',
  prune_withheld:
    'Fix what the message names, then run again with `replace`; until then nothing of this kind is deleted.',
  picture_not_fetched:
    'The item was copied without this picture. Check that the picture can be opened in the source shop, then heal the migration or run again.',
  address_changed:
    'The item was copied with another address. If another item has its address at the destination, free it; otherwise keep the new one, or add a redirect from the old one.',
  address_redirected: 'Nothing to do: the old address redirects to the item once no other page uses that address.',
  address_lost: 'If the old address matters, remove the conflicting redirect and run again, or set one up by hand.',
  partly_saved: 'Compare the item in both stores: the platform saved it without one of its attributes.',
  link_unresolved:
    'Correct the link or the picture’s address at the destination by hand. If it names an item, copy that item and run again.',
  links_rewritten: 'Nothing to do: links to the source shop now lead to the destination.',
  lines_not_linked:
    'Nothing to do: names, SKUs and prices are those of the source. Reports by product do not count these lines.',
  picture_reduced:
    'The pictures are only smaller. If the originals matter, make the source shop public before the first copy, or upload them by hand.',
  picture_differs:
    'Compare the picture in both shops. If the copy is smaller and that matters, upload the original by hand.',
  not_copied: 'Set it up at the destination by hand if you need it.',
  different_setting: 'Change the setting of one of the two stores before the copy, or correct the numbers afterwards.',
  platform_limit: 'Delete what is no longer needed at the destination, or copy less.',
  channel_unpaired: 'Create a channel of that name, type and platform at the destination, then run again.',
  client_changed:
    'If the earlier API account still exists, connect the destination with its token. Otherwise nothing to do: existing copies count as copied.',
  would_be_refused: 'Before the real run, correct the item in the source store to satisfy the rule.',
  prune_would_ask: 'Nothing to do now: the real run pauses for confirmation before the first deletion.',
  list_refused:
    'Heal the migration or run again later, which reads the list again. If the store refuses it every time, leave the entity out of the migration.',
  call_refused:
    'Check that the token of the store that the message names may make this call and that the store responds, then heal the migration or run again.',
  deleted_meanwhile: 'Heal the migration or run again, which creates it again at the destination.',
  unexpected: 'Run again; if it happens again, report it with the run id.',
} as const
export type IssueCode = keyof typeof issueRemedies

/** Replaces the remedy of a collision with the copy of an item that has another key in the source by now. */
export const renamedCopyRemedy =
  'The other source item has another name, code, SKU or email address by now, and its copy still has the old one. Run again with `update`; if the two items have swapped theirs and are refused again, give one of the copies another one at the destination by hand before.'

/** Replaces the remedy of a collision with the copy of an item that the source no longer has. */
export const sourceGoneRemedy =
  'The source no longer has the item of that copy. Copy the whole store with `replace`, which deletes the copy, or delete or rename it at the destination by hand and run again.'

/** The same where `replace` deletes what shoppers have used only on request. */
export const sourceGoneOrUsedRemedy =
  'The source no longer has the item of that copy. Copy the whole store with `replace`, which deletes the copy (one that has been used only if `pruneLive` names this kind), or delete or rename it at the destination by hand and run again.'

/** The same for what `replace` deletes only on request: shoppers, and what they have made. */
export const sourceGoneOnRequestRemedy =
  'The source no longer has the item of that copy. Delete the copy at the destination by hand, or give it another email address or code there, then run again. Or copy the whole store with `replace` and `pruneLive` for this kind, which deletes it unless it is a customer with orders.'

/** The same for what no migration deletes. */
export const sourceGoneByHandRemedy =
  'The source no longer has the item of that copy. Delete the copy at the destination by hand, or change its name or code there, then run again.'

/** Replaces the remedy of a copy that was refused because another item has its name by now: in the source, nothing is wrong. */
export const takenRemedy =
  'Another item at the destination has its name, code or SKU. Rename or delete that one there, then run again. If the source has deleted the original of that one, `replace` over the whole store deletes it.'

/** Replaces the remedy of an item for which the plan of the destination has no room: in the source, nothing is wrong. */
export const planLimitRemedy =
  'The destination has as many of these as its plan allows. Delete there what is no longer needed, or change its plan, then run again.'

/** Replaces the remedy of an item that the destination does not allow at all, whatever it says. */
export const notAllowedRemedy =
  'The destination does not allow this: its plan may not include it, or it may belong to another API account. Change the plan or use that account, then run again; or leave this kind of item out of the migration.'

/** Replaces the remedy of an item in a currency that the destination does not have, and that the source may have deleted. */
export const noCurrencyRemedy =
  'Add the currency to the destination in its control panel, then run again. It can be deleted there afterwards.'

/** Replaces the remedy of an item about which a store gave no valid response, however often it was asked. */
export const noResponseRemedy =
  'The store failed or did not answer. Heal the migration or run again later; if it happens again, simplify the item in the source store.'

/** Replaces the remedy of a refused part of a copy that has other parts which the source does not have. */
export const leftPartsRemedy =
  'The copy has options or other parts at the destination that it does not have in the source, and they are in the way. Copy the whole store with `replace`, which deletes them unless they are copies from another store, or delete them at the destination by hand.'

/** Replaces the remedy of a missing item if the source does not have that item itself. */
export const brokenReferenceRemedy =
  'The source store refers to something that it does not have itself. Correct the item there and run again, or dismiss this.'

/** Replaces the remedy of what is missing from an item that no later run writes again. */
export const writtenOnceRemedy =
  'No later run adds it, because an order is written once. Add it at the destination by hand if you need it.'

/** Replaces the remedy of an issue that no longer applies. */
export const healedRemedy = 'Nothing to do: this is solved.'
