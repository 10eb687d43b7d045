import { insertPost } from '../../resources/content/blog-rows.ts'
import { insertPage } from '../../resources/content/page-rows.ts'
import { redirectTable, upsertRedirect } from '../../resources/content/redirect-rows.ts'
import type { AwkwardShop } from './awkward-shop.ts'

/**
 * Adds pages with the longest name and names in all scripts, a chain of pages, and pages that the API cannot create.
 */
export function plantAwkwardPages({ store }: AwkwardShop): void {
  const plant = (fields: Record<string, unknown>) => insertPage(store, { type: 'page', ...fields }).row
  plant({ name: 'Blog', type: 'blog', meta_title: 'Blog', url: '/blog/' })
  plant({ name: 'n'.repeat(100), body: '', url: '/longest-name' })
  plant({ name: 'Über uns · 会社概要 · من نحن', body: '<p>👋 здравствуйте</p>', meta_title: null, url: '/ueber-uns/' })
  plant({ name: 'Colons: one: two', body: null, search_keywords: null, is_visible: false, url: '/colons/' })
  plant({ name: 'Welcome', body: '<h1>Welcome</h1>', is_homepage: true, url: '/welcome/' })
  plant({ name: 'Form without an address', type: 'contact_form', url: '/form/' })
  plant({ name: 'Script', type: 'raw', body: '{% raw %}{{ product.name }}{% endraw %}', content_type: 'text/plain' })
  let parent_id = 0
  for (let level = 1; level <= 5; level++)
    parent_id = plant({ name: `Level ${level}`, parent_id, url: `/l${level}/` }).id
  plant({ name: 'Out of here', type: 'link', link: 'https://elsewhere.example/?a=1&b=2', parent_id })
}

/**
 * Adds two posts with the same title, one without a text, one dated in the future, and one whose address is not below
 * the blog.
 */
export function plantAwkwardPosts({ store }: AwkwardShop): void {
  const plant = (fields: Record<string, unknown>) =>
    insertPost(store, { body: '', published_date: '2024-02-29T12:00:00Z', is_published: true, ...fields })
  plant({ title: 'Sale!', body: '<p>First.</p>', tags: ['a', 'A', 'ü'] })
  plant({ title: 'Sale!', body: '<p>Second.</p>', published_date: '2024-03-01T12:00:00Z' })
  plant({ title: 'Old address: kept', url: '/old-news.html', author: null, meta_keywords: null })
  plant({ title: 'Tomorrow', published_date: '2099-12-31T23:59:59Z', is_published: false })
  plant({ title: 'お知らせ 🎉', body: '<p>新しい</p>', thumbnail_path: null })
}

/** Adds redirects to deleted and unrelated targets, from paths of all kinds, with chains and a loop. */
export function plantAwkwardRedirects({ store }: AwkwardShop): void {
  const site_id = 1000
  const lead = (from_path: string, url: string) =>
    upsertRedirect(store, { site_id, from_path, to: { type: 'url', url } })
  lead('/old?id=7&sort=a', 'https://elsewhere.example/long?q=1#part')
  lead('/über/ñandú', '/ueber-uns/')
  lead('/first', '/second')
  lead('/second', '/first')
  lead('/longest', `/${'l'.repeat(2047)}`)
  lead('/UPPER/Case.HTML', '/')
  for (const type of ['product', 'page'])
    redirectTable(store).insert({ site_id, from_path: `/to-a-${type}-gone`, to: { type, entity_id: 99_999_999 } })
}
