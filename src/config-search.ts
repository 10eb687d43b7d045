import { z } from 'zod'
import { isReadable, loopback } from './config-address.ts'

/** The documents hold names and messages of people, so they do not cross a network unencrypted, nor to anybody (S12). */
const openSearchUrl = z.string().transform((text, context) => {
  const url = URL.parse(text)
  const near = url !== null && loopback.has(url.hostname)
  const safe = url?.protocol === 'https:' ? near || (url.username && url.password) : near && url.protocol === 'http:'
  if (url && safe && isReadable(url) && !url.search && !url.hash) return url.href.replace(/\/+$/, '')
  context.addIssue({
    code: 'custom',
    message: 'give it as https://user:password@host:9200, or http:// on localhost or 127.0.0.1, with %-encoded signs',
  })
  return z.NEVER
})

/** Part of the table in `config.ts`. */
export const searchSettings = {
  OPENSEARCH_URL: {
    schema: openSearchUrl,
    fallback: 'none',
    about:
      'OpenSearch 2 or later for the search index, https://user:password@host:9200, which several hosts can share. Without one, the index is a file beside the embedded PostgreSQL, and with DATABASE_URL there is none.',
    secret: true,
  },
  OPENSEARCH_INDEX: {
    // Source: OpenSearch "Create index", index naming restrictions.
    schema: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,99}$/, 'give lower-case letters, digits, - and _'),
    fallback: 'storeferry',
    about:
      'What the name of the index in OpenSearch begins with; each installation that uses the same server needs its own.',
  },
} as const
