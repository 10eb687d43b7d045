import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addressKey } from '../../accounts/address-key.ts'
import { requireSameOrigin } from '../../accounts/same-origin.ts'
import { html } from '../../contract/primitives/html.ts'
import { limits } from '../../contract/primitives/limits.ts'
import { errorStatuses } from '../../contract/service-error.ts'
import type { Deps } from '../../operations/shared/operation.ts'
import { reveal } from '../errors.ts'
import { RequestRate } from '../request-rate.ts'
import { addAppNotices, addAppPages } from './app-callbacks.ts'
import { addClaimPage } from './claim-store.ts'
import { addFirstAdministratorPage } from './first-administrator.ts'
import { addForgotPage } from './forgot.ts'
import { addHelp, helpPaths } from './help.ts'
import { sendPage } from './page-answers.ts'
import { addPasswordLinkPages } from './password-links.ts'
import { addSignInPage } from './sign-in.ts'
import { addSignOut } from './sign-out.ts'

/** Pages that the server renders itself, without the application; with other methods they return a 405. */
export const pagePaths = [
  '/app/sign-in',
  '/app/sign-in/code',
  '/app/sign-out',
  '/app/forgot',
  '/app/first-administrator',
  '/app/invitation',
  '/app/invitation/about',
  '/app/reset',
  '/app/pages.css',
  '/app/one-time-link.js',
  ...helpPaths,
] as const

/** Plain server-rendered pages and forms, usable without scripts. */
export async function addPages(app: FastifyInstance, deps: Deps): Promise<void> {
  const rate = new RequestRate(deps.clock, limits.requestsPerMinute)
  await app.register(async (pages) => {
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      async (_: FastifyRequest, body: string) => Object.fromEntries(new URLSearchParams(body)),
    )
    // Sign-in included: another site must not sign a browser in (S24).
    pages.addHook('onRequest', async (request) => {
      requireSameOrigin(request, deps.settings.siteUrl)
      if (request.method === 'POST') rate.count(addressKey(request.ip))
    })
    pages.setErrorHandler(answerErrorPage)
    addSignInPage(pages, deps)
    addSignOut(pages, deps)
    addForgotPage(pages, deps)
    addFirstAdministratorPage(pages, deps)
    addPasswordLinkPages(pages, deps)
    addHelp(pages)
    if (deps.storeApp) {
      addAppPages(pages, deps)
      addClaimPage(pages, deps)
    }
    await addFile(pages, '/app/pages.css', 'text/css; charset=utf-8')
    await addFile(pages, '/app/one-time-link.js', 'text/javascript; charset=utf-8')
  })
  if (deps.storeApp) addAppNotices(app, deps)
}

async function addFile(pages: FastifyInstance, path: (typeof pagePaths)[number], type: string): Promise<void> {
  const content = await readFile(new URL(`./files/${path.slice('/app/'.length)}`, import.meta.url))
  pages.get(path, { schema: { hide: true } }, async (_, reply) => reply.type(type).send(content))
}

/** The error handler of the pages: the API's error message, as a page. */
export function answerErrorPage(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { code, message, retryAfterSeconds } = reveal(error, request)
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
  sendPage(reply.code(errorStatuses[code]), {
    title: 'This did not work',
    problem: message,
    body: html`<p><a href="/app">Go to Home</a></p>`,
  })
}
