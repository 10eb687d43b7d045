/** Lists of changes, by what was done to the destination. */
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

/** The query of each list, and of its file. */
export const changeFiltersOf = {
  new: ({ part, text, cursor }: ChangeSearch) =>
    ({ made: 'here', origin: 'created', component: part, text, cursor }) as const,
  changed: ({ part, text, cursor }: ChangeSearch) => ({ action: 'update', component: part, text, cursor }) as const,
  deleted: ({ show, part, text, cursor }: ChangeSearch) =>
    ({ state: show === 'kept' ? 'kept' : 'deleted', component: part, text, cursor }) as const,
}
