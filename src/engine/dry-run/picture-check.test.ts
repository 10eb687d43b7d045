import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../clock.ts'
import { draft } from '../../entities/core/draft.ts'
import { createOutbound, type Resolve } from '../../outbound.ts'
import { PictureCheck } from './picture-check.ts'

/** A host of pictures. The path of a request says which status it answers and, optionally, which length. */
const host = createServer((request, response) => {
  const [status, length] = (request.url ?? '').slice(1).split('/')
  response.writeHead(Number(status), { 'content-length': length ?? '100' }).end()
})
beforeAll(() => new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve)))
afterAll(() => host.close())

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

function checkBy(resolve: Resolve): PictureCheck {
  const outbound = createOutbound({ clock: systemClock, allowLoopback: true, resolve })
  return new PictureCheck({ outbound, log: silent, lease: { stop: new AbortController().signal } })
}

const here = async () => ['127.0.0.1']
const failsBy = (code: string) => async () => {
  throw Object.assign(new Error('The name was not found.'), { code })
}
const refused = async (path: string, resolve: Resolve = here) => {
  const { port } = host.address() as AddressInfo
  const picture = draft('brands', 1, { image_url: `http://pictures.example:${port}/${path}` })
  return (await checkBy(resolve).refusalOf(picture))?.field
}

test('F2: a picture that its host does not have is reported, and one that it has is not', async () => {
  expect([await refused('404'), await refused('410'), await refused('200')]).toEqual([
    'image_url',
    'image_url',
    undefined,
  ])
})

test('F2: a picture of 8 MiB is fetched, and one of a byte more is not', async () => {
  const most = 8 * 1024 * 1024
  expect([await refused(`200/${most}`), await refused(`200/${most + 1}`)]).toEqual([undefined, 'image_url'])
})

test.each(['405', '429', '500', '503'])('F2: a host that answers %s has not said no', async (status) => {
  expect(await refused(status)).toBeUndefined()
})

test('F2: a host that no directory knows is a no, and a directory that does not answer is none', async () => {
  expect(await refused('200', failsBy('ENOTFOUND'))).toBe('image_url')
  expect(await refused('200', failsBy('EAI_AGAIN'))).toBeUndefined()
})

test('F2: of the picture of a complex rule nothing is said, because the platform is not known to fetch it', async () => {
  const rule = draft('product-complex-rules', 1, { image_url: 'https://pictures.example/gone.png' })
  expect(await checkBy(failsBy('ENOTFOUND')).refusalOf(rule)).toBeUndefined()
})

test('F2: pictures of what a product carries are named by their places', async () => {
  const { port } = host.address() as AddressInfo
  const image = (status: number) => ({ image_url: `http://pictures.example:${port}/${status}` })
  const product = draft(
    'products',
    1,
    {},
    {
      children: [
        draft('product-images', 1, image(200), { inline: true }),
        draft('product-images', 2, image(404), { inline: true }),
        draft('product-images', 3, image(404)),
        draft('product-variants', 4, image(404), { inline: true }),
      ],
    },
  )
  expect(await checkBy(here).refusalOf(product)).toMatchObject({
    field: 'images.1.image_url',
    others: ['variants.0.image_url'],
  })
})
