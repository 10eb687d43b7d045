import { brandsTable } from '../../resources/catalog/brands.ts'
import type { Row } from '../../store/store.ts'
import { categoriesTable } from '../../tables/category-tables.ts'
import { productTable } from '../../tables/product-tables.ts'
import { type AwkwardProduct, type AwkwardShop, filled, goneId, idIn } from './awkward-shop.ts'

const LONG = 65_535
/** Each segment of an address may have 256 characters, but the whole address of a product only 255. */
const LONGEST_URL = `/${filled('long-', 253)}/`

/** Every text is as long as possible. */
const LONGEST: AwkwardProduct = {
  name: filled('A product whose name is as long as it may be. ', 250),
  url: LONGEST_URL,
  in: ['Men/Shoes'],
  fields: {
    sku: filled('SKU-AS-LONG-AS-IT-MAY-BE-', 255),
    description: filled('<p>Long &amp; longer, with <em>words</em>.</p>', LONG),
    warranty: filled('<p>Forever and </p>', LONG),
    meta_description: filled('long ', LONG),
    search_keywords: filled('word,', LONG),
    page_title: filled('title ', 255),
    mpn: filled('MPN-', 255),
    bin_picking_number: filled('BIN-', 255),
    availability_description: filled('soon ', 255),
    upc: '12345678901234',
    gtin: '12345678901234',
    product_tax_code: filled('TAX', 255),
    open_graph_title: filled('Look ', 255),
    open_graph_description: filled('Look here. ', LONG),
    open_graph_use_product_name: false,
    open_graph_use_meta_description: false,
    open_graph_use_image: false,
    open_graph_type: 'book',
    meta_keywords: Array.from({ length: 200 }, (_none, at) => `keyword ${at}`),
  },
}

/** Texts that a careless parser mistakes for something else. */
const LOOKALIKES = ['null', 'undefined', '0', 'true', '__proto__', 'constructor', '1e3', '-', '%s %d %00', '{{name}}']

const named = (name: string, sku: string, fields: Record<string, unknown> = {}): AwkwardProduct => ({
  name,
  fields: { sku, ...fields },
  in: ['Sale'],
})

export const TEXT_PRODUCTS: readonly AwkwardProduct[] = [
  LONGEST,
  named('X', 'x'),
  named('Crème Brûlée Torch'.normalize('NFC'), 'TORCH-NFC'),
  named('Crème Brûlée Torch'.normalize('NFD'), 'TORCH-NFD'),
  named('Z\u0337a\u0308\u0331l\u0301g\u0316o\u0353 Candle', 'ZALGO', {
    description: 'o\u0301\u0302\u0303\u0304\u0305',
  }),
  named('👩‍👩‍👧‍👦 Family Puzzle 🧩 👍🏽 🏴󠁧󠁢󠁳󠁣󠁴󠁿', '🧩-1', { search_keywords: '🧩,👍🏽' }),
  named(`${filled('Cut here ', 248)}🪓`, 'CUT-248-AND-A-PAIR'),
  named('حقيبة يد جلدية 2027', 'RTL-AR', { description: '<div dir="rtl"><p>حقيبة <b>جميلة</b> (A4) – ١٢٣</p></div>' }),
  named('תיק עור "מיוחד"', 'RTL-HE'),
  named('Turned \u202Eround\u202C bag\u200F', 'RTL-OVERRIDE'),
  named('和風ティーカップ ｶﾀｶﾅ', 'CJK-１'),
  named('กระเป๋าผ้าฝ้าย', 'THAI'),
  named('İstanbul ISTANBUL ıstanbul ß ẞ', 'TURKISH-I'),
  named('  Two  spaces,\u00a0one that holds and a\u200bzero ', 'SPACES'),
  named('Nuts & Bolts <b>Bold</b> "Double" \'Single\' \\ /', '<SKU>&"1"'),
  named('Nuts &amp; Bolts &lt;b&gt;', '&amp;'),
  named('"; DROP TABLE products; --', "'; --"),
  named('=HYPERLINK("https://shop.example","Sheet")', '=1+1'),
  ...LOOKALIKES.map((name, at) => named(name, `LOOKALIKE-${at}`)),
  named('SKU with a comma', 'A,B,C'),
  named('SKU with spaces', ' two  spaces '),
  named('SKU of an address', 'a/b?c=d&e=f#g+h%20i'),
  named('SKU with leading zeros', '00042'),
  named('SKU with fewer zeros', '042'),
  named('SKU with an accent', 'É-1'),
  named('SKU without an accent', 'E-1'),
  named('No SKU', ''),
  named('No SKU either', ''),
  named('Line ends', 'CRLF', { description: '<p>one</p>\r\n<p>two</p>\n\t<p>three</p>\r', warranty: '\n' }),
  named('Broken HTML', 'BROKEN', { description: '<p>one<div>two</p><br><img src=x.png alt=a b></span> 5 < 6 & 7 > 3' }),
  named('Scripts and styles', 'SCRIPT', {
    description: '<style>.a>b{color:red}</style><script>if (a < b && c) { x("</p>") }</script><!-- note --><p>text</p>',
  }),
  named('No description', 'EMPTY', { description: '', page_title: '', meta_description: '', meta_keywords: [] }),
  named('Empty keywords', 'KEYWORDS', { meta_keywords: ['', 'a,b', 'twice', 'twice', ' '] }),
  { ...named('Links to everything', 'LINKS', {}), link: linkEverything },
  { ...named('Links in odd spellings', 'LINKS-ODD', {}), link: linkOddly },
  { ...named('Links to what is gone', 'LINKS-GONE', {}), link: linkToNothing },
]

/** Links to the shop itself, in every spelling that merchants paste. They must still work in a copy. */
function linkEverything({ store, categories, brands, products }: AwkwardShop, product: Row): void {
  const other = productTable(store).get(idIn(products, 'Crème Brûlée Torch'.normalize('NFC')))
  const category = categoriesTable(store).get(idIn(categories, 'Women/Shoes'))
  const brand = brandsTable(store).get(idIn(brands, 'Plain'))
  const paths = {
    product: String((other?.custom_url as { url: string }).url),
    category: String((category?.url as { path: string }).path),
    brand: String((brand?.custom_url as { url: string }).url),
  }
  const shop = `https://${store.hash}.example`
  productTable(store).update(product.id, {
    description: [
      ...Object.values(paths).map((path) => `<p><a href="${path}">near</a> <a href="${shop}${path}">far</a></p>`),
      `<a href="//${store.hash}.example${paths.product}?utm_source=mail&amp;size=M#reviews">no scheme</a>`,
      `<a href='${shop.toUpperCase()}${paths.category}?sort=newest&page=2'>upper case</a>`,
      `<a href="/products.php?productId=${other?.id}">by id</a> <a href="/cart.php?action=add&product_id=${other?.id}">buy</a>`,
      `<a href="%%GLOBAL_ShopPath%%${paths.brand}">placeholder</a> <a href="/about-us/">a page</a> <a href="/blog/a-post/">a post</a>`,
      '<a href="mailto:shop@example.com">mail</a> <a href="tel:+15550100">call</a> <a href="#reviews">here</a>',
      '<img src="/product_images/uploaded_images/one.jpg" srcset="/content/two.jpg 2x, /content/three.jpg 3x">',
      `<img src="${store.imageBase}/a/1/linked__10001.png"> <img src="/missing-picture.png" alt="">`,
      `<a href="${shop}.evil.example/">another shop</a> <a href="https://elsewhere.example${paths.product}">elsewhere</a>`,
    ].join('\n'),
  })
}

/** Addresses of the shop, as editors, mail programs and scripts write them. */
function linkOddly({ store, categories, brands, products }: AwkwardShop, product: Row): void {
  const other = idIn(products, 'Crème Brûlée Torch'.normalize('NFC'))
  const shop = `https://${store.hash}.example`
  productTable(store).update(product.id, {
    description: [
      `<A HREF = ${shop}/sale/?a=1&b=2 target=_blank>no quotes</A> <a\n\thref='${shop}'\n>quotes of the other kind</a>`,
      `<a href=" ${shop}/sale/ ">spaces</a> <a href="http://www.${store.hash}.example:80/sale/">www and a port</a>`,
      `<a href="https&#58;//${store.hash}.example&#47;sale&#47;?a=1&amp;b=2">entities</a>`,
      `<img srcset="${shop}/content/a,1.jpg 1x,${shop}/content/b.jpg 2x, /content/c.jpg 3x" src="//${store.hash}.example/content/a.jpg">`,
      `<div style="background: url('${shop}/content/back.jpg') no-repeat">styled</div><style>.a{background:url(${shop}/content/b.png)}</style>`,
      `<script>go("${shop.replaceAll('/', '\\/')}\\/sale\\/", '${shop}/cart.php?action=add&product_id=${other}')</script>`,
      `<form action="${shop}/cart.php" method="post"><input type="hidden" name="product_id" value="${other}"></form>`,
      `<div data-product-id="${other}" data-category-id='${idIn(categories, 'Women/Shoes')}' data-brand-id=${idIn(brands, 'Plain')}>themed</div>`,
      `<a href="/compare/${other}">compare</a> <a href="https://store-${store.hash}.mybigcommerce.com/sale/">the platform's own</a>`,
      `<img src="https://cdn11.bigcommerce.com/s-${store.hash}/content/a.jpg?v=2"> <!-- ${shop}/sale/ -->`,
      `Words about ${shop}/sale/, too. <a href="https://elsewhere.example/?from=${store.hash}.example">elsewhere</a>`,
      `<a href="https://not${store.hash}.example/">not ours</a> <a href="https://cdn11.bigcommerce.com/s-${store.hash}x/a.jpg">nor that</a>`,
      `<a href="${shop}/unfinished`,
    ].join('\n'),
    warranty: `<p>See <a href="${shop}/returns/">returns</a>.</p>`,
  })
}

/** Links to parts of the shop that a copy does not have. */
function linkToNothing({ store }: AwkwardShop, product: Row): void {
  const gone = goneId(store, 'products')
  const shop = `https://${store.hash}.example`
  productTable(store).update(product.id, {
    description: [
      `<a href="${shop}/cart.php?action=add&amp;product_id=${gone}">gone</a> <div data-product-id="${gone}">gone</div>`,
      `<img src="${shop}/product_images/a/1/kept-by-the-platform__10001.jpg">`,
      `<img src="https://cdn11.bigcommerce.com/s-${store.hash}/images/stencil/500x500/products/${gone}/1/small__10001.jpg">`,
      `<a href="/cart.php?action=add&product_id=${product.id}&attribute[1]=2">a choice</a> <a href="${shop}/never-was/">no page</a>`,
    ].join('\n'),
  })
}
