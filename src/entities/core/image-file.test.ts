import { expect, test } from 'vitest'
import { imageAddress, imageFile, originalAddress } from './image-file.ts'

test.each([
  ['red-shirt.jpg', 'red-shirt.jpg'],
  ['a/123/Red-Shirt__00045.JPG', 'red-shirt.jpg'],
  ['https://shop.example/images/a/123/red-shirt__00045.1280.1280.jpg?c=2', 'red-shirt.jpg'],
  ['red-shirt__00045__77123.386.513.png', 'red-shirt.png'],
  ['v2.10.jpg', 'v2.10.jpg'],
  ['', ''],
  [undefined, ''],
])('F1: %s is the picture %s', (address, file) => {
  expect(imageFile(address)).toBe(file)
})

test('the address of an image is its largest one, without the query', () => {
  expect(imageAddress({ url_zoom: 'https://a.example/z.png?c=1', url_standard: 'https://a.example/s.png' })).toBe(
    'https://a.example/z.png',
  )
  expect(imageAddress({ url_zoom: '', url_standard: 'https://a.example/s.png' })).toBe('https://a.example/s.png')
  expect(imageAddress({})).toBe('')
})

test('F1: the original of a picture is below the address of its storefront, if its own is no longer than 255 characters', () => {
  const at = (image_file: unknown) => originalAddress('https://shop.example/product_images', { image_file })
  expect(at('a/123/red shirt#2__00045.jpg')).toBe(
    'https://shop.example/product_images/a/123/red%20shirt%232__00045.jpg',
  )
  const longest = 'x'.repeat(255 - 'https://shop.example/product_images/'.length)
  expect(at(longest)).toHaveLength(255)
  expect(at(`${longest}x`)).toBeUndefined()
  expect([at(''), at(undefined)]).toEqual([undefined, undefined])
})
