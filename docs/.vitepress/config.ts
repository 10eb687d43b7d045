import { readdirSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitepress'

const mark = readFileSync(new URL('../../portal/mark.svg', import.meta.url), 'utf8')
const page = (text: string, name: string) => ({ text, link: `/${name}` })

/** `npm run docs:build` writes the site to docs/.vitepress/dist. A link to a page that does not exist fails it. */
// biome-ignore lint/style/noDefaultExport: VitePress asks for it
export default defineConfig({
  title: 'Storeferry',
  description: 'Copies a BigCommerce store to another store of the same organisation, and proves the copy is right.',
  lang: 'en-GB',
  head: [
    ['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(mark)}` }],
    // The key that the search button shows is not in its name for screen readers. The name of a language is too pale.
    [
      'style',
      {},
      ".DocSearch-Button-Keys { display: none !important } .vp-doc [class*='language-'] > span.lang { color: var(--vp-c-text-1) }",
    ],
  ],
  // As people read the folder in a repository.
  rewrites: { 'decisions/README.md': 'decisions/index.md' },
  cacheDir: '../node_modules/.cache/vitepress',
  markdown: {
    // The usual light theme is too pale on the ground of code.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark' },
    // Addresses in examples lead nowhere.
    linkify: false,
    anchor: { slugify: slugOf },
    config: (md) => {
      // Texts have placeholders such as <PORT>. Only comments are meant as HTML.
      const comment = (content: string) => (content.startsWith('<!--') ? content : md.utils.escapeHtml(content))
      for (const rule of ['html_inline', 'html_block'])
        md.renderer.rules[rule] = (tokens, index) => comment(tokens[index]?.content ?? '')
      // Files of the repository outside this folder, which the site does not have, keep their name and lose their link.
      md.core.ruler.push('links-out-of-the-folder', ({ tokens, env }) => {
        if (env.relativePath.includes('/')) return
        for (const { children } of tokens) unlink(children ?? [])
      })
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      page('Quick start', 'quick-start'),
      page('Concepts', 'concepts'),
      page('Hosting', 'hosting'),
      page('API', 'api'),
      page('Command line', 'commands'),
    ],
    sidebar: [
      {
        text: 'Start',
        items: [
          page('Quick start', 'quick-start'),
          page('A tour of the portal', 'tour'),
          page('Connecting a store', 'connect-a-store'),
          page('The first real migration', 'first-real-migration'),
        ],
      },
      {
        text: 'Concepts',
        items: [
          page('Concepts', 'concepts'),
          page('Entities', 'entities'),
          page('Strategies', 'strategies'),
          page('Issues', 'issues'),
          page('Rules', 'rules'),
          page('Glossary', 'glossary'),
        ],
      },
      {
        text: 'Hosting',
        items: [
          page('Hosting', 'hosting'),
          page('Settings', 'settings'),
          page('Accounts', 'accounts'),
          page('Security model', 'security'),
          page('Erasing people', 'erasing'),
          page('Upgrading', 'upgrading'),
          page('Troubleshooting', 'troubleshooting'),
        ],
      },
      {
        text: 'Interfaces',
        items: [
          page('API', 'api'),
          page('Errors', 'errors'),
          page('Command line', 'commands'),
          page('Webhooks and mails', 'webhooks'),
          page('Assistants', 'connect-an-assistant'),
          page('Assistant tools', 'tools'),
        ],
      },
      {
        text: 'Sandbox',
        items: [
          page('The sandbox', 'sandbox'),
          page('How it differs from BigCommerce', 'sandbox-differences'),
          page('Probing a store', 'probe'),
        ],
      },
      {
        text: 'Project',
        items: [
          { text: 'Decisions', link: '/decisions/', collapsed: true, items: decisions() },
          page('Benchmarks', 'benchmarks'),
          page('Moved files', 'moved-files'),
        ],
      },
    ],
  },
})

function unlink(tokens: { type: string; tag: string; attrs: [string, string][] | null }[]): void {
  let outside = false
  for (const token of tokens) {
    if (token.type === 'link_open') outside = token.attrs?.some(([, href]) => href.startsWith('../')) ?? false
    if (!outside || !token.type.startsWith('link_')) continue
    token.tag = 'span'
    token.attrs = null
  }
}

/** As in a repository, where underscores stay: the links of the pages work in both places. */
function slugOf(title: string): string {
  return title
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
}

function decisions() {
  const folder = new URL('../decisions/', import.meta.url)
  const records = readdirSync(folder).filter((name) => /^\d{4}-/.test(name))
  return records.sort().map((name) => {
    const title = /^# (.*)$/m.exec(readFileSync(new URL(name, folder), 'utf8'))?.[1] ?? name
    return page(title, `decisions/${name.replace(/\.md$/, '')}`)
  })
}
