/** One component over several runs, as data: specs share no code with the program (test/comparison). */
export interface Story {
  /** What the titles call its items. */
  name: string
  /** Phases that the tests run; those that its items refer to come first. */
  phases: readonly string[]
  /** The component that the tests edit, and the table of its items. */
  component: string
  table: string
  /** Components that the comparison judges. */
  judged: readonly string[]
  /** A field to edit at the destination, and its new value. */
  edit: Record<string, unknown>
  /** The field's name in verify, where it differs. */
  editedField?: string
  /** Which item; by default the first. */
  edited?: (row: Record<string, unknown>) => boolean
  /** The call that creates one. */
  creation: { method: 'POST' | 'PUT'; path: string }
  /** Created at the destination only; absent: none of it is ever deleted. */
  onlyThere?: Posted
  /** An item is deleted by its id below this path; absent: its row is removed from its table, and nothing else changes. */
  deletedAt?: string
  /** Entities that are copied before the story begins. */
  copiedBefore?: readonly string[]
  /** Created in the source before the story begins. */
  madeBefore?: Posted
}

interface Posted {
  path: string
  body: object
}
