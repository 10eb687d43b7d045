import { test } from 'vitest'
import { expectCopiedDespite } from './lost-answers.ts'
import { killSubjects } from './subjects.ts'

// Every component and every kind of answer: lost-answers.long.test.ts.
test('B2: a catalogue is copied once although each kind of its calls loses an answer before, after and halfway through it', () =>
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
