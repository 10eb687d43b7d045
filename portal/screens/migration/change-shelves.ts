/** What was done to the destination. */
export const changeShelves = ['new', 'changed', 'deleted', 'kept'] as const
export type ChangeShelf = (typeof changeShelves)[number]

export const changeWords: Record<ChangeShelf, string> = {
  new: 'New',
  changed: 'Changed',
  deleted: 'Deleted',
  kept: 'Kept',
}

export interface ChangeSearch {
  show?: ChangeShelf | undefined
  part?: string | undefined
  text?: string | undefined
  cursor?: string | undefined
}

/** What each list is asked for; its file, too. */
export const changeFiltersOf = {
  new: ({ part, text }: ChangeSearch) => ({ made: 'here', origin: 'created', component: part, text }) as const,
  changed: ({ part, text }: ChangeSearch) => ({ action: 'update', component: part, text }) as const,
  deleted: ({ show, part, text }: ChangeSearch) =>
    ({ state: show === 'kept' ? 'kept' : 'deleted', component: part, text }) as const,
}
