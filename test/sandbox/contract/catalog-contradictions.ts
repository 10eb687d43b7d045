import type { Contradiction } from './contradiction.ts'

/** Those of the calls that take pictures, of the older category calls and of tax classes. */
export const catalogContradictions: Contradiction[] = [
  {
    reason:
      'The file shows this refusal as `plain/text`, which is no media type; the 403 beside it is the JSON envelope, and so is every 401 that has a schema.',
    places: [
      'POST /v3/catalog/categories/:categoryId/image 401 (status)',
      'DELETE /v3/catalog/categories/:categoryId/image 401 (status)',
    ],
  },
  {
    reason:
      'The operation takes the id of something that may not be there and documents no 404; the platform documentation has 404 for it, and neighbours in the same file do too where they have errors at all.',
    places: [
      'DELETE /v3/catalog/categories/:categoryId 404 (status)',
      'DELETE /v3/catalog/brands/:brandId/image 404 (status)',
      'GET /v2/tax_classes/:id 404 (status)',
    ],
  },
  {
    reason:
      'The file documents no refusal of what the caller sends here, although the operation has parameters or a body with limits; the platform documentation has 422 for invalid input.',
    places: ['GET /v3/catalog/categories 422 (status)'],
  },
  {
    reason: 'The notes of the operation promise a 422 without a filter; its answers have the 204 only.',
    places: ['DELETE /v3/catalog/categories 422 (status)'],
  },
  {
    reason: 'The file of the older tax classes documents no refusal at all; a v2 error is an array.',
    places: ['GET /v2/tax_classes 401 (status)', 'GET /v2/tax_classes 401 (schema)'],
  },
  {
    reason:
      'The file gives this refusal `application/problem+json`; every other file and the platform documentation have JSON for it.',
    places: ['POST', 'PUT', 'DELETE'].flatMap((method) =>
      [403, 413, 422].map((status) => `${method} /v3/tax/classes ${status} (media type)`),
    ),
  },
  {
    reason: 'The same, for refusals that not all three calls have.',
    places: [
      'POST /v3/tax/classes 409 (media type)',
      'PUT /v3/tax/classes 400 (media type)',
      'PUT /v3/tax/classes 409 (media type)',
      'DELETE /v3/tax/classes 400 (media type)',
      'DELETE /v3/tax/classes 404 (media type)',
    ],
  },
  {
    reason:
      'The file wraps a missing scope in a list of errors; scopes are looked at before the call is known, and every other file has the plain envelope.',
    places: ['POST', 'PUT', 'DELETE'].flatMap((method) =>
      ['errors', 'status', 'title', 'type'].map((field) => `${method} /v3/tax/classes 403 ${field}`),
    ),
  },
  {
    reason:
      'The schema of the form has the address only; the required fields of the same operation name the file for forms.',
    places: ['POST /v3/catalog/products/:productId/variants/:variantId/image request image_file'],
  },
  {
    reason:
      'The schema has a list; the operation makes one product, and the 207 of the PUT of one product has the product.',
    places: ['POST /v3/catalog/products 207 data'],
  },
  {
    reason:
      'The schema refuses what the notes of the 207 of the same operation speak of: a product that is saved although its stock would be negative.',
    places: [
      'POST /v3/catalog/products request inventory_level',
      'PUT /v3/catalog/products request [].inventory_level',
    ],
  },
  {
    reason:
      'As with the 200 of the same operation: the schema has a string or a number, and the file does not say what stands instead.',
    places: [
      'PUT /v3/catalog/products/:productId 207 data.date_last_imported',
      'PUT /v3/catalog/products/:productId 207 data.option_set_id',
    ],
  },
  {
    reason: 'The schema leaves it out; the examples of the variant answers have it.',
    places: [
      'POST /v3/catalog/products/:productId/variants 207 data.map_price',
      'PUT /v3/catalog/products/:productId/variants/:variantId 207 data.map_price',
    ],
  },
]
