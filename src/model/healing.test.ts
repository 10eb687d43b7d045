import { expect, test } from 'vitest'
import {
  type HealableIssue,
  healingBudgetMs,
  healingRules,
  isAboutAddress,
  isAboutPicture,
  mayTry,
  namedPictures,
  ruleFor,
} from './healing.ts'

const refused = (status: number, errors: Record<string, string> = {}, title = 'No', method = 'POST') => ({
  method,
  status,
  title,
  errors,
})
const issue = (more: Partial<HealableIssue>): HealableIssue => ({
  severity: 'failure',
  code: 'platform_refused',
  platform: refused(422),
  batched: false,
  comesWithOthers: false,
  ...more,
})

test.each<[string, Partial<HealableIssue>, string | undefined]>([
  ['no answer at all', { platform: refused(0) }, 'retry-transient'],
  ['too many requests', { platform: refused(429) }, 'retry-transient'],
  ['a fault of the store', { platform: refused(500) }, 'retry-transient'],
  ['a fault of the store with a batch', { platform: refused(503), batched: true }, 'retry-transient'],
  ['a limit of the plan', { platform: refused(507) }, 'corrected'],
  ['an unexpected error', { code: 'unexpected', platform: null }, 'retry-transient'],
  ['a copy that was deleted meanwhile', { code: 'deleted_meanwhile', platform: null }, 'retry-transient'],
  ['a picture by its field', { platform: refused(422, { 'images.2.image_url': 'gone' }) }, 'without-picture'],
  ['a picture by its title', { platform: refused(400, {}, 'The resource could not be downloaded') }, 'without-picture'],
  [
    'a picture whose field is in the title',
    { platform: refused(422, { invalid_reason: 'It failed' }, "The field 'image_url' is invalid.") },
    'without-picture',
  ],
  [
    'a picture by the reason alone',
    { platform: refused(400, { invalid_reason: 'logo.png could not be downloaded and may be invalid' }) },
    'without-picture',
  ],
  [
    'a picture that is too large',
    { platform: refused(422, {}, 'The maximum of 8 MB size limit for upload image is exceeded') },
    'without-picture',
  ],
  ['a pending picture', { code: 'picture_not_fetched', platform: refused(422) }, 'without-picture'],
  ['an address that is taken', { platform: refused(409, { custom_url: 'taken' }) }, 'another-address'],
  ['an address that was changed', { code: 'address_changed', severity: 'warning', platform: null }, 'own-address'],
  ['a brand that is gone', { platform: refused(409, { brand_id: 'There is no brand 7' }) }, 'stale-reference'],
  ['a wish that is gone', { platform: refused(422, { 'items.0.variant_id': 'no such variant' }) }, 'stale-reference'],
  [
    'a redirect to what is gone, in a batch',
    { platform: refused(422, { '0.to.entity_id': 'there is no product 7' }), batched: true },
    'stale-reference',
  ],
  ['a coupon of a gone category', { platform: refused(400, {}, 'Category id 100 does not exist.') }, 'stale-reference'],
  [
    'a secret item that refers to what is gone',
    { platform: refused(400, {}, 'something that it refers to does not exist there') },
    'stale-reference',
  ],
  [
    'a row of a batch that is gone',
    { platform: refused(400, { 0: 'there is no shopper profile 7' }, 'Input is invalid') },
    'stale-reference',
  ],
  ['a parent that is gone', { platform: refused(404, {}, 'The promotion 7 was not found.') }, 'stale-reference'],
  ['a copy that is gone', { platform: refused(404, {}, 'The brand was not found.', 'PUT') }, 'corrected'],
  ['a variant that is gone', { platform: refused(422, { '0.id': 'There is no variant 7' }, 'No', 'PUT') }, 'corrected'],
  ['a theme file that is gone', { platform: refused(422, { template_file: 'there is no such file' }) }, 'corrected'],
  ['a reference of the wrong form', { platform: refused(400, { brand_id: 'must be an integer' }) }, 'corrected'],
  ['a required reference', { platform: refused(422, { product_id: 'is required' }) }, 'corrected'],
  ['a price that is taken', { platform: refused(409, { variant_id: 'exists already' }) }, 'adopt'],
  ['a name that is taken', { platform: refused(409, { name: 'duplicate' }) }, 'adopt'],
  [
    'an option name that is taken',
    { platform: refused(422, {}, 'The display name Size has already been used on this product.') },
    'adopt',
  ],
  ['another item of that name', { code: 'natural_key_conflict', platform: null }, 'adopt'],
  ['an item matched by another one', { code: 'natural_key_collision', platform: null }, 'adopt'],
  ['a missing parent', { code: 'missing_reference', platform: null }, 'map-parents'],
  ['a missing brand', { code: 'reference_left_out', severity: 'warning', platform: null }, 'map-parents'],
  [
    'a platform-created item',
    { code: 'not_copied', severity: 'warning', platform: null, comesWithOthers: true },
    'arrived',
  ],
  ['one of a batch', { batched: true }, 'split-batch'],
  ['one by itself', {}, 'corrected'],
  ['an orphan', { code: 'hierarchy_broken', platform: null }, 'corrected'],
  ['a warning without a rule', { code: 'source_gone', severity: 'warning', platform: null }, undefined],
])('F4: %s is tried by the rule for it', (_what, more, name) => {
  expect(ruleFor(issue(more))?.name).toBe(name)
})

test('F4: every rule has a unique name and a message that names the item', () => {
  const names = healingRules.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const { message } of healingRules) expect(message('"Acme" (source 7)')).toContain('"Acme" (source 7)')
})

test('F4: a rule is tried again once its precondition has changed', () => {
  expect(mayTry('a', undefined)).toBe(true)
  expect(mayTry('a', 'b')).toBe(true)
  expect(mayTry('a', 'a')).toBe(false)
  expect(mayTry(null, undefined)).toBe(false)
})

test.each([
  ['no time at all', 0, 0],
  ['a quarter of the time worked', 60_000, 15_000],
  ['the last run with a whole quarter', 4 * 3_600_000, 3_600_000],
  ['an hour of a longer one', 4 * 3_600_000 + 4, 3_600_000],
])('F4: healing may take %s', (_what, workedMs, budgetMs) => {
  expect(healingBudgetMs(workedMs)).toBe(budgetMs)
})

test('a refusal names pictures by their positions, or makes all of them suspects', () => {
  const errors = { 'images.0.image_url': 'x', 'images.12.image_url': 'x', 'variants.3.image_url': 'x', name: 'x' }
  expect(namedPictures({ errors })).toEqual({ own: false, images: [0, 12], variants: [3] })
  expect(namedPictures({ errors: { image_url: 'x' } })).toEqual({ own: true, images: [], variants: [] })
  expect(namedPictures({ errors: {} })).toBeNull()
})

test('refusals about pictures are distinguished from those about addresses', () => {
  expect(isAboutAddress(refused(422, { image_url: 'x' }))).toBe(false)
  expect(isAboutAddress(refused(422, { 'custom_url.url': 'x' }))).toBe(true)
  expect(isAboutAddress(refused(422, { url: 'x' }))).toBe(true)
  expect(isAboutPicture(refused(422, { url: 'x' }))).toBe(false)
  expect(isAboutPicture(null)).toBe(false)
})
