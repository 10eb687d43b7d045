import { oneByOne } from '../../../../bench/parts/fewest-calls.ts'
import { ownId } from '../../../comparison/exclusion-reasons.ts'
import { plainText, withEmptyTexts, withTexts } from '../../../comparison/table-rule.ts'
import { reading, writing } from '../../../faults/subject.ts'
import { listSubject } from '../../../kills/subject.ts'
import type { EntitySpec } from '../spec.ts'

export const blogPosts: EntitySpec = {
  entity: 'blog-posts',
  kills: {
    'blog-posts': listSubject('blog-posts', '^/v2/blog/posts$'),
  },
  faults: {
    writes: [writing('blog-posts', '^/v2/blog/posts$')],
    lists: [reading(['blog-posts'], '^/v2/blog/posts$')],
  },
  tables: [
    {
      table: 'blog_posts',
      entity: 'blog-posts',
      references: {},
      parents: [],
      keys: (row) => [plainText(row.url), plainText(row.title)],
      rewritten: (row, side) => ({
        published_date: Date.parse(plainText(row.published_date)),
        ...withTexts(row, side, 'body'),
        ...withEmptyTexts(row, 'author', 'thumbnail_path', 'meta_description', 'meta_keywords'),
      }),
    },
  ],
  excludedFields: {
    blog_posts: { id: ownId },
  },
  fewest: oneByOne(/^\/v2\/blog/, 'blog_posts', '/v2 by number', 1),
}
