import { insertPost } from '../../resources/content/blog-rows.ts'
import type { SandboxStore } from '../../store/store.ts'

const TOPICS = ['Opening day', 'How we pick our goods', 'Caring for wood', 'A visit to the workshop', 'Winter is near']
const TAGS = ['news', 'care', 'people']

/** Adds a post for every two weeks; every fourth is a draft. Some have a picture, an author, or no tags. */
export function seedBlog(store: SandboxStore, count: number): void {
  for (let n = 0; n < count; n++) {
    const title = n < TOPICS.length ? String(TOPICS[n]) : `Notes from week ${2 * n}`
    insertPost(store, {
      title,
      body: `<p>${title}: more <a href="/about-us/">about us</a>.</p>`,
      tags: TAGS.filter((_tag, at) => (n + at) % 3 === 0 || (n + at) % 5 === 1),
      is_published: n % 4 !== 3,
      published_date: new Date(Date.UTC(2023, 0, 9 + 14 * n, 8, 26, 42)).toISOString(),
      meta_description: n % 2 === 0 ? `${title}, by our team.` : '',
      meta_keywords: n % 2 === 0 ? 'blog,shop' : '',
      author: n % 3 === 0 ? 'Robin Sample' : '',
      thumbnail_path: n % 3 === 1 ? `uploaded_images/post-${n}.png` : '',
      ...(n % 2 === 1 && { url: `/blog/post-${n}/` }),
    })
  }
}
