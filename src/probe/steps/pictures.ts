import { mark, type ProbeCall, ref, type Step } from '../call.ts'
import { about, accepted, anyOf, last, status, titled } from '../verdict.ts'
import { products } from './catalog.ts'

/** A single grey pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
)
const images = `${products}/{product}/images`

function uploaded(bytes: Buffer, fileName = 'sfprobe.png'): ProbeCall {
  const form = { field: 'image_file', fileName, contentType: 'image/png', bytes }
  return { method: 'POST', path: images, form }
}

const mebibyte = 1024 * 1024

/** A picture on its own: what the product keeps when a picture is refused decides how much a bad one costs. */
const uploads: Step[] = [
  {
    key: 'picture: upload',
    question: 'What does the upload of a picture answer?',
    calls: [{ ...uploaded(png), finds: { picture: 'url_zoom', image: 'id' } }],
    documented: last(status(200)),
    quick: true,
  },
  {
    key: 'picture: change',
    question: 'What does a change of a picture answer?',
    calls: [{ method: 'PUT', path: `${images}/{image}`, body: { description: 'Other', sort_order: 2 } }],
    documented: last(status(200)),
    quick: true,
  },
  {
    key: 'picture: upload of damaged bytes',
    question: 'How is the upload of something that is no picture refused?',
    calls: [uploaded(Buffer.from('no picture'))],
    documented: last(status(422)),
    seen: last(status(400, 413, 415)),
    quick: true,
  },
  {
    key: 'picture: upload above 8 MB',
    question: 'How is the upload of a picture above 8 MB refused?',
    calls: [uploaded(Buffer.concat([png, Buffer.alloc(Math.ceil(8.1 * mebibyte))]))],
    documented: last(status(422), titled(/8 MB/)),
    seen: last(status(413, 422)),
    quick: false,
  },
]

const named = titled(/The field '?image_url'? is invalid/)
const byField = last(status(422), about(/image_url|image_file/))

/** Addresses without a picture that the platform can use. */
const addresses: readonly [key: string, url: string, quick: boolean][] = [
  ['host that does not exist', 'https://nothing.invalid/sfprobe.png', true],
  ['page instead of a picture', 'https://example.com/', true],
  ['file that does not exist', 'https://example.com/sfprobe.png', false],
  ['address without a scheme', '//example.com/sfprobe.png', false],
  ['address of more than 255 characters', `https://example.com/${'a'.repeat(300)}.png`, false],
  ['redirect', 'http://www.iana.org/domains/example', false],
  ['address of a local machine', 'http://127.0.0.1:9/sfprobe.png', false],
]

function atAddress([key, url, quick]: (typeof addresses)[number]): Step[] {
  const name = key.replaceAll(/[^a-z0-9]+/g, '-')
  const sellable = { type: 'physical', weight: 1, price: 10, is_visible: false }
  return [
    {
      key: `picture: ${key}`,
      question: `How is the ${key} refused as a picture of a product?`,
      calls: [{ method: 'POST', path: images, body: { image_url: url } }],
      documented: byField,
      seen: last(status(422, 400, 404)),
      quick,
    },
    {
      key: `picture in a product: ${key}`,
      question: `What does a new product answer whose picture is the ${key}, and is it saved without?`,
      calls: [
        { method: 'POST', path: products, body: { ...sellable, name: mark(name), images: [{ image_url: url }] } },
      ],
      documented: byField,
      seen: anyOf(last(status(422, 400), named), last(accepted)),
      quick,
    },
  ]
}

const own: readonly [key: string, call: ProbeCall, quick: boolean][] = [
  ['by its address', { method: 'POST', path: images, body: { image_url: ref('picture') } }, true],
  [
    'of a variant',
    {
      method: 'POST',
      path: `${products}/{product with variants}/variants/{variant}/image`,
      body: { image_url: ref('picture') },
    },
    true,
  ],
  ['of a brand', { method: 'PUT', path: '/v3/catalog/brands/{brand}', body: { image_url: ref('picture') } }, true],
  [
    'of a category',
    {
      method: 'PUT',
      path: '/v3/catalog/trees/categories',
      body: [{ category_id: ref('category'), image_url: ref('picture') }],
    },
    true,
  ],
  [
    'of a modifier value',
    {
      method: 'POST',
      path: `${products}/{product}/modifiers/{modifier}/values/{modifier value}/image`,
      form: { field: 'image_file', fileName: 'sfprobe.png', contentType: 'image/png', bytes: png },
    },
    true,
  ],
  [
    'of a rule',
    {
      method: 'PUT',
      path: `${products}/{product}/complex-rules/{complex rule}`,
      body: { image_url: ref('picture') },
    },
    false,
  ],
]

const ofAStore = own.map(
  ([key, call, quick]): Step => ({
    key: `picture: ${key}, as the store shows it`,
    question: `Is a picture ${key} accepted from the store's own pictures?`,
    calls: [call],
    documented: last(accepted),
    seen: last(status(422)),
    quick,
  }),
)

export const pictureSteps: Step[] = [...uploads, ...ofAStore, ...addresses.flatMap(atAddress)]
