/** The closed list of issue codes, each with the remedy a merchant reads. One docs paragraph each in docs/issues.md. */
export const issueRemedies = {
  platform_refused: 'Correct the item in the source store as the platform says, then run again.',
  natural_key_conflict:
    'Two different items carry the same name. Rename one of them in the source or the destination store, then run again.',
  natural_key_collision:
    'Another source item already took this destination item. Give the two source items different names or SKUs, then run again.',
  missing_reference: 'Copy the missing item first, or include its entity in the run, then run again.',
  reference_left_out: 'The copy works without it. Copy the missing item, then run again to complete it.',
  left_disabled:
    'Copy what it lacks and run again, which switches it on; or put it right and switch it on at the destination by hand.',
  mails_muted:
    'See that the store answers and that its token may write settings; mails are switched on again by themselves then, or by you in its control panel.',
  stock_not_restored:
    'Compare the stock that the message names with what is really there, and correct it at the destination by hand.',
  parent_failed: 'Correct the item it belongs to, then run again.',
  hierarchy_broken: 'Give the item an existing parent in the source store, then run again.',
  source_gone: 'Nothing to do if the item was deleted in the source store meanwhile; if you picked it, check its id.',
  source_changed: 'The source changed while it was read. Run again to pick up the rest.',
  destination_deleted: 'Nothing to do: the item had been deleted at the destination and was created again.',
  destination_archived:
    'Nothing to do if the order was archived on purpose; otherwise restore it at the destination, because it is never copied a second time.',
  destination_changed:
    'Nothing to do: somebody had edited the item at the destination, and it was written over. The before-image has what stood there.',
  not_pruned: 'Delete it at the destination by hand if it should go; the platform said why it kept it.',
  prune_withheld:
    'Put right what the message names, then run again with `replace`; until then nothing of this kind is deleted.',
  picture_not_fetched:
    'The item is there without this picture. See that the picture can be opened in the source shop, then heal the migration or run again.',
  address_changed:
    'The item is there under another address. Free the address it has in the source, or add a redirect from it.',
  address_redirected: 'Nothing to do: the old address leads to the item as soon as nothing else has it.',
  address_lost: 'Where the old address matters, make room for a redirect from it, or set one up by hand.',
  partly_saved: 'Compare the item in both stores; the platform kept it but refused one of its attributes.',
  link_unresolved:
    'Correct the link or the address of the picture at the destination by hand; where it names an item, copy that and run again.',
  links_rewritten: 'Nothing to do: what texts of the source said of its own shop, they say of the destination now.',
  picture_reduced:
    'Nothing is missing, the pictures are only smaller. Where the originals matter, see that the source shop serves them to anybody before the first copy, or upload them by hand.',
  picture_differs:
    'Look at the picture in both shops; where the copy is smaller and that matters, upload the original by hand.',
  not_copied: 'Set it up at the destination by hand where it is needed.',
  different_setting: 'Change the setting of one of the two stores before the copy, or correct the numbers afterwards.',
  platform_limit: 'Delete what is no longer needed at the destination, or copy less.',
  channel_unpaired: 'Create a channel of that name, type and platform at the destination, then run again.',
  client_changed:
    'Connect the destination with a token of the earlier API account, if it still exists; otherwise nothing: copies that are there count as copied.',
  would_be_refused: 'Correct the item in the source store as the rule says before the real run.',
  prune_would_ask: 'Nothing to do now: the real run pauses before the first deletion and asks.',
  unexpected: 'Run again; if it happens again, report it with the run id.',
} as const
export type IssueCode = keyof typeof issueRemedies
