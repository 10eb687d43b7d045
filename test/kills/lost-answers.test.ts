import { test } from 'vitest'
import { expectCopiedDespite } from './lost-answers.ts'
import { killSubjects } from './subjects.ts'

// Every component and every kind of answer: lost-answers.long.test.ts.
test('B2: a catalogue is copied once although connections break before and after writes are applied, and answers are truncated', () =>
  expectCopiedDespite(
    ['reset_before_applying', 'reset_after_applying', 'truncated_body'],
    killSubjects(
      'brands',
      'categories',
      'products',
      'product-options',
      'product-option-values',
      'product-modifiers',
      'product-reviews',
      'related-products',
    ),
    { catalogueOnly: true },
  ))
