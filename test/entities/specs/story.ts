/** The life of an entity's main component over several runs, as data: specs share no code with the program (test/comparison). */
export interface Story {
  /** The table of its items. */
  table: string
  /** A field to edit at the destination, and its new value. */
  edit: Record<string, unknown>
  /** Which item; by default the first. */
  edited?: (row: Record<string, unknown>) => boolean
  /** The call that creates one. */
  creation: { method: 'POST' | 'PUT'; path: string }
  /** Created at the destination only; absent: none of it is ever deleted. */
  onlyThere?: Posted
  /** Entities that are copied before the story begins. */
  copiedBefore?: readonly string[]
  /** Created in the source before the story begins. */
  madeBefore?: Posted
}

interface Posted {
  path: string
  body: object
}
