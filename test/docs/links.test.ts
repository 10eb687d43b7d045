import { existsSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const pages = new Map<string, string>()
for await (const path of glob(['*.md', 'docs/*.md', 'docs/decisions/*.md'], { cwd: root }))
  pages.set(path, withoutCode(await readFile(join(root, path), 'utf8')))

/** Titles keep the text of code in them. */
function withoutCode(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/(?<!^#.*)`[^`\n]*`/gm, '')
}

/** As a repository and the site name the titles of a page; of equal ones, the later have a number. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>()
  for (const [, title = ''] of text.matchAll(/^#{1,6} (.*)$/gm)) {
    const slug = title
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-')
    let anchor = slug
    for (let number = 1; anchors.has(anchor); number += 1) anchor = `${slug}-${number}`
    anchors.add(anchor)
  }
  return anchors
}

function faultOf(page: string, link: string): string[] {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? page : normalize(join(dirname(page), path))
  if (!existsSync(join(root, target))) return [`${page} links to ${link}, which does not exist`]
  if (anchor === undefined || anchorsOf(pages.get(target) ?? '').has(anchor)) return []
  return [`${page} links to ${link}: ${target} has no such title`]
}

test('every link of README and docs leads to a file that exists, and to a title that it has', () => {
  const links = [...pages].flatMap(([page, text]) =>
    [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => ({ page, link })),
  )
  const own = links.filter(({ link }) => !/^[a-z]+:/.test(link))
  expect(own.length).toBeGreaterThan(200)
  expect(own.flatMap(({ page, link }) => faultOf(page, link))).toEqual([])
})
