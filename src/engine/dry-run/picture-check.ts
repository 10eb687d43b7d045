import type { Draft } from '../../entities/core/draft.ts'
import { componentOf } from '../../entities/registry.ts'
import type { Prediction } from '../../model/refusal-rules.ts'
import { Slots } from '../../model/slots.ts'
import { OutboundRefused } from '../../outbound.ts'
import type { RunContext } from '../context/context.ts'

/** The largest picture that the platform fetches. Source: "Images by URL". */
const largestBytes = 8 * 1024 * 1024
/** Our choice. If a server takes longer to answer a HEAD, nothing is predicted. */
const patienceMs = 10_000
/** Pictures probed at a time. They cost no quota, but a product may have a thousand. */
const atOnce = 16

type PictureCheckContext = Pick<RunContext, 'outbound' | 'log'> & { lease: { stop: AbortSignal } }

/**
 * Predicts whether the platform can fetch the pictures of an item, by a HEAD to each address. Only a definite no from
 * the host or from DNS counts: an address that does not answer now may answer when the copy is made.
 */
export class PictureCheck {
  private readonly context: PictureCheckContext
  private readonly slots = new Slots(atOnce)

  constructor(context: PictureCheckContext) {
    this.context = context
  }

  /** Predicts a refusal because of the pictures of one call, and names their fields as the platform does. */
  async refusalOf(draft: Draft): Promise<Prediction | undefined> {
    const bad = await Promise.all(
      picturesOf(draft).map(async ({ field, address }) =>
        (await this.slots.take(() => this.isFetchable(address))) ? [] : [field],
      ),
    )
    const [field, ...others] = bad.flat()
    if (field === undefined) return undefined
    return { rule: 'pictures can be fetched', field, others, message: 'the picture cannot be fetched' }
  }

  private async isFetchable(url: string): Promise<boolean> {
    try {
      const { stop } = this.context.lease
      const head = { url, method: 'HEAD' as const, maxBytes: 0, timeoutMs: patienceMs, redirects: 3, signal: stop }
      const { httpStatus, headers } = await this.context.outbound(head)
      if (httpStatus === 405 || httpStatus === 429 || httpStatus >= 500) return true
      return httpStatus < 400 && Number(headers['content-length'] ?? 0) <= largestBytes
    } catch (error) {
      this.context.lease.stop.throwIfAborted()
      if (hasNoHost(error)) return false
      if (!(error instanceof OutboundRefused)) this.context.log.info({ err: error }, 'a picture could not be probed')
      return true
    }
  }
}

/** Whether the host name does not exist. A DNS server that does not answer causes EAI_AGAIN instead. */
function hasNoHost(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOTFOUND'
}

interface Picture {
  field: string
  address: string
}

function picturesOf(draft: Draft): Picture[] {
  const inline = (list: string) =>
    draft.children
      .filter((child) => child.inline && componentOf(child.component).inlineAs === list)
      .flatMap((child, at) => pictureAt(child, `${list}.${at}.image_url`))
  const own = componentOf(draft.component).picture === 'sent' ? 'picture' : 'image_url'
  return [...pictureAt(draft, own), ...inline('images'), ...inline('variants')]
}

/**
 * Pictures of components without `picture` (complex rules) are not checked: when the platform fetches them is unknown.
 */
function pictureAt({ component, body }: Draft, field: string): Picture[] {
  const { picture } = componentOf(component)
  if (!picture) return []
  const address = picture === 'sent' ? body.picture : body.image_url
  return typeof address === 'string' && address !== '' ? [{ field, address }] : []
}
