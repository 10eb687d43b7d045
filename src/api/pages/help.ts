import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { issueHelpPath } from '../../contract/issues.ts'
import { type Html, html } from '../../contract/primitives/html.ts'
import { errorHelpPath, ServiceError } from '../../contract/service-error.ts'
import { sendPage } from './page-answers.ts'

/** One page for each code, so that an issue or an error can link to its explanation: the sections of a document. */
const documents = { [issueHelpPath]: 'issues.md', [errorHelpPath]: 'errors.md' }
export const helpPaths = Object.keys(documents).map((path) => `${path}/:code`)

export function addHelp(pages: FastifyInstance): void {
  for (const [path, file] of Object.entries(documents))
    pages.get<{ Params: { code: string } }>(`${path}/:code`, { schema: { hide: true } }, async (request, reply) => {
      const document = await readFile(new URL(`../../../docs/${file}`, import.meta.url), 'utf8')
      const text = sectionsOf(document).get(request.params.code)
      if (text === undefined) throw new ServiceError('not_found', 'Nothing is explained under this name.')
      return sendPage(reply, { title: request.params.code, body: html`${paragraphsOf(text)}` })
    })
}

function sectionsOf(document: string): Map<string, string> {
  const [, ...sections] = document.split(/^## /m)
  return new Map(
    sections.map((section): [string, string] => {
      const end = section.indexOf('\n')
      return [section.slice(0, end), section.slice(end)]
    }),
  )
}

function paragraphsOf(text: string): Html[] {
  const paragraphs = text.split(/\n\n+/).filter((paragraph) => paragraph.trim() !== '')
  return paragraphs.map((paragraph) => html`<p>${marked(paragraph)}</p>`)
}

/** The sections use only code and emphasis from Markdown. */
function marked(paragraph: string): Html[] {
  return paragraph.split(/(`[^`]+`|\*[^*]+\*)/).map((piece) => {
    if (/^`.+`$/s.test(piece)) return html`<code>${piece.slice(1, -1)}</code>`
    return /^\*.+\*$/s.test(piece) ? html`<em>${piece.slice(1, -1)}</em>` : html`${piece}`
  })
}
