/**
 * What the registry does not say of a component and the suite has to know; a test holds the names. A new entity needs a line
 * here only where it is unlike the others.
 */

/** Edits of these are told by verify, and left alone by `update`, because no list shows them (decision 0006). */
export const onlyVerifySees: Record<string, string> = {
  'product-options': 'the list of products that is compared has no options',
  'product-modifiers': 'the list of products that is compared has no modifiers',
  'product-complex-rules': 'a list of its own for each product',
}

/** Stand at the destination before the first copy and are taken as they are. */
export const neverCreated: Record<string, string> = {
  'category-trees': 'every store is born with the tree of its default storefront',
}

/** Edited where another component's row is: told by the story of that one. */
export const editedElsewhere: Record<string, string> = {
  'category-product-order': 'a place is a field of the link between a product and a category',
  'product-customs-information': 'told with the drift that is planted in test/engine/planted-drift.test.ts',
}
