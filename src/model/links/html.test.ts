import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rewriteHtml } from './html.ts'
import { type LinkTargets, pageOn } from './link-targets.ts'
import { rewriteJson, rewriteText } from './rewrite-text.ts'
import { movesBetween, type Shop } from './shop-addresses.ts'

function shop(hash: string, more: Partial<Shop> = {}): Shop {
  const address = `https://www.${hash}.example`
  return {
    hash,
    domain: `www.${hash}.example`,
    secureUrl: address,
    controlPanelUrl: `https://store-${hash}.mybigcommerce.com`,
    defaultChannelId: 1,
    sites: [{ channelId: 1, urls: [{ url: address, type: 'primary' }] }],
    ...more,
  }
}

const old = shop('old')
const fresh = shop('new', {
  sites: [
    { channelId: 1, urls: [{ url: 'https://new.example', type: 'primary' }] },
    { channelId: 9, urls: [{ url: 'https://outlet.new.example/', type: 'primary' }] },
  ],
})
const ids: Record<string, string> = {
  'product 11': '501',
  'product 12': '12',
  'category 3': '703',
  'brand 4': '804',
}
const targets: LinkTargets = {
  moves: movesBetween(old, fresh, new Map([[1, 1]])),
  id: (kind, id) => ids[`${kind} ${id}`],
  path: (path) => ({ '/old-way/': '/new-way/' })[path],
}

const html = (text: string) => rewriteHtml(text, targets)

describe('addresses of the shop', () => {
  test.each([
    ['<a href="https://www.old.example/shoes/">', '<a href="https://new.example/shoes/">'],
    ['<a href="http://WWW.OLD.example/shoes/">', '<a href="https://new.example/shoes/">'],
    ['<a href=https://old.example/shoes/?a=1&b=2#c>', '<a href=https://new.example/shoes/?a=1&b=2#c>'],
    ["<a href='//www.old.example:443'>", "<a href='//new.example'>"],
    ['<a\n href = " https://www.old.example/x "  >', '<a\n href = " https://new.example/x "  >'],
    ['<a href="https&#58;//www.old&period;example/x?a&amp;b">', '<a href="https://new.example/x?a&amp;b">'],
    ['<a href="&#104;ttps://www.old.example&sol;x">', '<a href="https://new.example&sol;x">'],
    ['<a href="https:&#47;&#47;www.old.example&#47;&#47;x">', '<a href="https://new.example&#47;&#47;x">'],
    [
      '<img src="https://cdn7.bigcommerce.com/s-old/content/a.jpg">',
      '<img src="https://cdn11.bigcommerce.com/s-new/content/a.jpg">',
    ],
    [
      '<img src="//store-old.mybigcommerce.com/content/a.jpg">',
      '<img src="//store-new.mybigcommerce.com/content/a.jpg">',
    ],
    [
      '<img srcset="https://old.example/content/a,b.jpg 1x,https://old.example/content/c.jpg 2x , /content/d.jpg">',
      '<img srcset="https://new.example/content/a,b.jpg 1x,https://new.example/content/c.jpg 2x , /content/d.jpg">',
    ],
    [
      `<p style="background:url('https://old.example/content/a.jpg')">`,
      `<p style="background:url('https://new.example/content/a.jpg')">`,
    ],
    ['<style>a{b:url(//old.example/c.png)}</style>', '<style>a{b:url(//new.example/c.png)}</style>'],
    [
      '<script>x("https:\\/\\/old.example\\/a<\\/b")</script>',
      '<script>x("https:\\/\\/new.example\\/a<\\/b")</script>',
    ],
    ['<p>See https://old.example/a, or not.</p>', '<p>See https://new.example/a, or not.</p>'],
    ['<p>https://old.example. //old.example&nbsp;x</p>', '<p>https://new.example. //new.example&nbsp;x</p>'],
    ['<!-- https://old.example/a -->', '<!-- https://new.example/a -->'],
    ['<div data-set=\'{"u":"https://old.example/a"}\'>', '<div data-set=\'{"u":"https://new.example/a"}\'>'],
    ['<a href="https://old.example/1"><b title="<a>" href=', '<a href="https://new.example/1"><b title="<a>" href='],
  ])('%s', (before, after) => {
    expect(html(before)).toMatchObject({ text: after, unresolved: [] })
    expect(html(before).rewritten).toBeGreaterThan(0)
  })

  test.each([
    '<a href="https://www.old.example.evil.example/x">',
    '<a href="https://notold.example/x">',
    '<a href="https://elsewhere.example/?to=www.old.example">',
    '<a href="https://cdn11.bigcommerce.com/s-older/content/a.jpg">',
    '<a href="mailto:shop@www.old.example">',
    '<a href="/shoes/?a=1&amp;b=2">near</a> <img src=x.png alt=a b> 5 < 6 &nbsp; &unknown; <p',
    '<a href="javascript:go(\'//\')">',
    '<a href="{{config.url}}/x"> <a href="#top"> <a href="">',
  ])('links to other sites keep every byte: %s', (text) => {
    expect(html(text)).toEqual({ text, rewritten: 0, unresolved: [] })
  })

  test('addresses of a storefront without a counterpart are reported and left alone', () => {
    const outlet = { channelId: 2, urls: [{ url: 'https://outlet.example', type: 'primary' }] }
    const source = { ...old, sites: [...(old.sites ?? []), outlet] }
    const text = '<a href="https://outlet.example/x">'
    const alone = { ...targets, moves: movesBetween(source, fresh, new Map([[1, 1]])) }
    expect(rewriteHtml(text, alone)).toEqual({ text, rewritten: 0, unresolved: ['https://outlet.example/x'] })
    const both = { ...targets, moves: movesBetween(source, fresh, new Map([[1, 1], [2, 9]])) } // biome-ignore format: pairs
    expect(rewriteHtml(text, both).text).toBe('<a href="https://outlet.new.example/x">')
  })

  test('a page is asked for on the storefront to whose address a link leads, and a path alone on that of the text', () => {
    const outlet = { channelId: 2, urls: [{ url: 'https://outlet.example', type: 'primary' }] }
    const source = { ...old, sites: [...(old.sites ?? []), outlet] }
    const moves = movesBetween(source, fresh, new Map([[1, 1], [2, 9]])) // biome-ignore format: pairs
    const path: LinkTargets['path'] = (_path, storefront = 'tree:5') => `/${storefront}`
    const link = (address: string) => rewriteHtml(`<a href="${address}/x">`, { ...targets, moves, path }).text
    expect(link('https://outlet.example')).toBe('<a href="https://outlet.new.example/channel:2">')
    expect(link('https://old.example')).toBe('<a href="https://new.example/channel:1">')
    expect(link('')).toBe('<a href="/tree:5">')
  })

  test.each([
    ['channel:2', '/second'],
    ['channel:3', '/anywhere'],
    ['tree:5', '/tree'],
    [undefined, '/first'],
  ] as const)('of the pages with one path, a link on %s leads to %s', (storefront, path) => {
    const page = (at: string, on: string | null) => ({ path: at, storefront: on })
    const pages = [
      page('/first', 'channel:1'),
      page('/second', 'channel:2'),
      page('/anywhere', null),
      page('/tree', 'tree:5'),
    ]
    expect(pageOn(pages, storefront)?.path).toBe(path)
  })

  test('a link leads to no page of another storefront', () => {
    expect(pageOn([{ storefront: 'channel:1' }], 'channel:2')).toBeUndefined()
    expect(pageOn([{ storefront: 'channel:1' }], 'tree:5')).toEqual({ storefront: 'channel:1' })
  })

  test('shops below another shop’s address or on another port are distinguished', () => {
    const under = (hash: string) => shop(hash, { secureUrl: `http://127.0.0.1:8080/stores/${hash}`, sites: null })
    const sandbox = { ...targets, moves: movesBetween(under('old'), under('new'), new Map()) }
    const text = (hash: string, port: number) => `<img src="http://127.0.0.1:${port}/stores/${hash}/images/a.png">`
    expect(rewriteHtml(text('old', 8080), sandbox).text).toBe(text('new', 8080))
    expect(rewriteHtml(text('older', 8080), sandbox).rewritten).toBe(0)
    expect(rewriteHtml(text('old', 8081), sandbox).rewritten).toBe(0)
  })
})

describe('ids', () => {
  test.each([
    [
      '<a href="/cart.php?action=add&amp;product_id=11&qty=11">',
      '<a href="/cart.php?action=add&amp;product_id=501&qty=11">',
    ],
    ['<a href="https://old.example/cart.php?product_id=11">', '<a href="https://new.example/cart.php?product_id=501">'],
    ['<a href="/products.php?productId=11">', '<a href="/products.php?productId=501">'],
    [
      '<a href="search.php?brand=4&category%5B%5D=3&id=11">',
      '<a href="search.php?brand=804&category%5B%5D=703&id=11">',
    ],
    ['<a href="/product.php?id=11">', '<a href="/product.php?id=501">'],
    ['<a href="/compare/11/12">', '<a href="/compare/501/12">'],
    ['<div data-product-id="11" data-category-id=3>', '<div data-product-id="501" data-category-id=703>'],
    ['<input value="11" type=hidden name=product_id>', '<input value="501" type=hidden name=product_id>'],
  ])('%s', (before, after) => {
    expect(html(before)).toMatchObject({ text: after, unresolved: [] })
  })

  test.each([
    ['<a href="https://old.example/cart.php?product_id=99">', 'https://old.example/cart.php?product_id=99'],
    ['<a href="/cart.php?product_id=11&attribute[5]=6">', '/cart.php?product_id=11&attribute[5]=6'],
    ['<div data-product-id="99">', 'product 99'],
    ['<img src="/product_images/a/123/shoe__00001.jpg">', '/product_images/a/123/shoe__00001.jpg'],
    [
      '<img src="https://cdn11.bigcommerce.com/s-old/images/stencil/500x500/products/11/22/shoe__1.jpg?c=2">',
      'https://cdn11.bigcommerce.com/s-old/images/stencil/500x500/products/11/22/shoe__1.jpg?c=2',
    ],
  ])('a link without a counterpart is reported and left alone: %s', (text, link) => {
    expect(html(text)).toEqual({ text, rewritten: 0, unresolved: [link] })
  })

  test('numbers that are no ids of the shop stay', () => {
    const text =
      '<a href="/shoes/?product_id=11"> <a href="https://elsewhere.example/cart.php?product_id=11"> <input value=11>'
    expect(html(text)).toEqual({ text, rewritten: 0, unresolved: [] })
  })
})

test('a link to a moved page gets its path at the destination', () => {
  const before =
    '<a href="/old-way/?a=1"> <a href="https://old.example/old-way/"> <a href="%%GLOBAL_ShopPath%%/old-way/">'
  expect(html(before).text).toBe(
    '<a href="/new-way/?a=1"> <a href="https://new.example/new-way/"> <a href="%%GLOBAL_ShopPath%%/new-way/">',
  )
})

test('links that already lead to the destination stay as they are', () => {
  const once = html('<a href="https://old.example/old-way/">').text
  expect(html(once)).toEqual({ text: once, rewritten: 0, unresolved: [] })
})

test('only addresses of the shop change, in any markup', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '<a href="',
      '">',
      "'",
      '=',
      '&amp;',
      '&',
      '<!--',
      '-->',
      '<script>',
      '</script>',
      '/>',
      '<',
      '>',
      ' ',
    ),
    fc.constantFrom('https://old.example/x', '//old.example', 'https://other.example/x', 'href=', 'srcset=', '&#47;'),
    fc.string({ maxLength: 6 }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('')
      const { text: after, rewritten } = html(text)
      if (rewritten === 0) expect(after).toBe(text)
      else expect(after).not.toBe(text)
      if (!text.includes('old')) expect(after).toBe(text)
    }),
    { numRuns: 2000 },
  )
})

test('texts in JSON are rewritten one by one, and other values stay', () => {
  const value = {
    link: '/old-way/',
    html: '<a href="https://old.example/a">',
    picture: { src: 'https://cdn1.bigcommerce.com/s-old/content/a.png', width: 11 },
    productId: 11,
    none: null,
    words: 'no address',
  }
  expect(rewriteJson(value, targets)).toEqual({
    value: {
      link: '/new-way/',
      html: '<a href="https://new.example/a">',
      picture: { src: 'https://cdn11.bigcommerce.com/s-new/content/a.png', width: 11 },
      productId: 11,
      none: null,
      words: 'no address',
    },
    rewritten: 3,
    unresolved: [],
  })
  expect(rewriteText('see https://old.example/a', targets).text).toBe('see https://new.example/a')
})
