import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addressKey } from '../../accounts/address-key.ts'
import { authCallbackPath } from '../../accounts/app/store-app.ts'
import { type Html, html, page } from '../../contract/primitives/html.ts'
import { limits } from '../../contract/primitives/limits.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Deps } from '../../operations/shared/operation.ts'
import { perform } from '../../operations/shared/perform.ts'
import { installApp } from '../../operations/stores/install-app.ts'
import { loadApp } from '../../operations/stores/load-app.ts'
import { removeAppUser } from '../../operations/stores/remove-app-user.ts'
import { uninstallApp } from '../../operations/stores/uninstall-app.ts'
import { reveal } from '../errors.ts'
import { RequestRate } from '../request-rate.ts'
import { claimPath } from './claim-store.ts'
import { refuse, visitorOf } from './page-answers.ts'

const loadPath = '/load'

/** Addresses that exist only with an app. The first four are the callbacks of its profile at the platform. */
export const appPaths = [authCallbackPath, loadPath, '/uninstall', '/remove_user', claimPath] as const

/** A HEAD would use up a code. */
const hidden = { schema: { hide: true }, exposeHeadRoute: false }

/**
 * The callbacks of a single-click app that come from a merchant's browser: GETs that change something, so nothing in them counts but what the
 * platform has signed, or exchanges for a token (S1).
 *
 * Source: BigCommerce "Single-Click App OAuth Flow" and "Single-Click App Callback Handlers".
 */
export function addAppPages(pages: FastifyInstance, deps: Deps): void {
  const installs = new RequestRate(deps.clock, limits.appInstallsPerMinute)
  const loads = new RequestRate(deps.clock, limits.appCallbacksPerMinute)

  pages.get(authCallbackPath, hidden, async (request, reply) => {
    installs.count(addressKey(request.ip))
    // The platform shows the answer in a frame, and /load is the only address that may be in one.
    return reply.redirect(await install(request, deps), 303)
  })

  pages.get(loadPath, hidden, async (request, reply) => {
    loads.count(addressKey(request.ip))
    return load(request, reply, deps)
  })
}

/** The callbacks that servers of the platform send. They need no answer; ours is JSON for the platform's logs. */
export function addAppNotices(app: FastifyInstance, deps: Deps): void {
  const notices = new RequestRate(deps.clock, limits.appCallbacksPerMinute)
  for (const [path, operation] of Object.entries({ '/uninstall': uninstallApp, '/remove_user': removeAppUser }))
    app.get(path, hidden, async (request, reply) => {
      notices.count(addressKey(request.ip))
      await perform(operation, { payload: queryOf(request).signed_payload_jwt }, visitorOf(request), deps)
      return reply.send({})
    })
}

function queryOf(request: FastifyRequest): Record<string, unknown> {
  return request.query as Record<string, unknown>
}

async function install(request: FastifyRequest, deps: Deps): Promise<string> {
  const { code, context, scope } = queryOf(request)
  try {
    const { output } = await perform(installApp, { code, context, scope }, visitorOf(request), deps)
    return output.claimKey === null ? `${loadPath}?outcome=connected` : `${loadPath}?claim=${output.claimKey}`
  } catch (error) {
    const { code: why } = reveal(error, request)
    deps.log.warn({ code: why }, 'An installation of the app failed')
    return `${loadPath}?outcome=${why === 'validation_failed' ? 'refused' : 'failed'}`
  }
}

/** Where the control panel may frame a page of ours. Stores are below mybigcommerce.com. */
const controlPanels = 'https://*.mybigcommerce.com https://*.bigcommerce.com'

async function load(request: FastifyRequest, reply: FastifyReply, deps: Deps): Promise<FastifyReply> {
  const { signed_payload_jwt: payload, claim, outcome } = queryOf(request)
  // The older header knows no list of sites.
  reply.raw.removeHeader('x-frame-options')
  const policy = `default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors ${controlPanels}; img-src 'self'; style-src 'self'`
  reply.header('content-security-policy', policy).type('text/html; charset=utf-8')
  const { siteUrl } = deps.settings
  if (isClaimKey(claim)) return reply.send(unclaimed(siteUrl, claim))
  if (isOutcome(outcome)) return reply.code(outcomes[outcome].httpStatus).send(outcomes[outcome].shown(siteUrl))
  try {
    const { output } = await perform(loadApp, { payload }, visitorOf(request), deps)
    if (output.claimKey !== null) return reply.send(unclaimed(siteUrl, output.claimKey))
    if (output.state === 'connected') return reply.send(connected(siteUrl))
    return reply.code(403).send(output.state === 'of-owner' ? forOwner(siteUrl) : notInstalled(siteUrl))
  } catch (error) {
    const known = error instanceof ServiceError ? error : reveal(error, request)
    const problem = known.code === 'validation_failed' ? openInPanel : refuse(reply, known)
    if (known.code === 'validation_failed') reply.code(401)
    return reply.send(shown(siteUrl, { title: 'This did not work', problem }))
  }
}

const openInPanel = 'Open the app in the control panel of the store.'

function isClaimKey(text: unknown): text is string {
  return typeof text === 'string' && /^[\w-]{43}$/.test(text)
}

interface Shown {
  title: string
  problem?: string
  text?: string
  link?: { to: string; words: string }
}

/** Nothing but a link that opens our site in a tab of its own (S1). */
function shown(siteUrl: string, { title, problem, text, link }: Shown): string {
  const { to, words } = link ?? { to: '/app', words: 'Open Storeferry' }
  const body: Html = html`${text !== undefined && html`<p>${text}</p>`}
<p><a class="button" href="${siteUrl}${to}" target="_blank" rel="noopener">${words}</a></p>`
  return page({ title, problem, body, framed: true })
}

function unclaimed(siteUrl: string, key: string): string {
  return shown(siteUrl, {
    title: 'One step is left',
    text: `The app is installed. An owner of your organization in Storeferry now connects the store to it, within ${limits.claimSeconds / 60} minutes of the installation.`,
    link: { to: `${claimPath}?key=${key}`, words: 'Connect this store' },
  })
}

function connected(siteUrl: string): string {
  return shown(siteUrl, { title: 'This store is connected', text: 'Copy it, or compare it, in Storeferry.' })
}

function forOwner(siteUrl: string): string {
  return shown(siteUrl, {
    title: 'The owner of the store connects it',
    problem: 'This store is not connected yet. Ask its owner to open the app here.',
  })
}

function notInstalled(siteUrl: string): string {
  return shown(siteUrl, {
    title: 'This store is not connected',
    problem: `No one connected it within ${limits.claimSeconds / 60} minutes of the installation, or it was disconnected since. Uninstall the app here and install it again.`,
  })
}

/** How an installation ended that leaves nothing to claim. */
const outcomes = {
  connected: { httpStatus: 200, shown: connected },
  refused: {
    httpStatus: 422,
    shown: (siteUrl: string) =>
      shown(siteUrl, {
        title: 'The app is not installed',
        problem:
          'BigCommerce does not accept the code of this installation: it was used, or is too old. Install the app again.',
      }),
  },
  failed: {
    httpStatus: 502,
    shown: (siteUrl: string) =>
      shown(siteUrl, {
        title: 'The app is not installed',
        problem:
          'BigCommerce gave no token for this store. Install the app again in a minute; if it fails again, tell the people who run this service.',
      }),
  },
}

function isOutcome(text: unknown): text is keyof typeof outcomes {
  return typeof text === 'string' && Object.hasOwn(outcomes, text)
}
