import { errorBody, v3Error } from '../http/answers.ts'
import type { SandboxAnswer } from '../http/resource.ts'
import type { SandboxStore } from '../store/store.ts'

const isPicture = (field: string) => /(^|\.)image_url$/.test(field)

/** A refusal that is only about pictures, in the shape chosen by the switch `picture_refusal`. */
export function shapedRefusal(store: SandboxStore, answer: SandboxAnswer): SandboxAnswer {
  const shape = shapes[String(store.switches.picture_refusal)]
  const { errors } = (answer.body ?? {}) as { errors?: Record<string, string> }
  const fields = Object.keys(errors ?? {})
  return shape && fields.length > 0 && fields.every(isPicture) ? shape : answer
}

const title = "The field 'image_url' is invalid."
const oversize = 'The maximum of 8 MB size limit for upload image is exceeded'
const reason = 'The image could not be processed and may not be valid image.'

/**
 * `title` and `oversize` were recorded from real stores. `field` is what the published files and that title suggest.
 */
const shapes: Record<string, SandboxAnswer> = {
  title: { status: 400, body: { ...errorBody(400, title, { invalid_reason: reason }), code: 400 } },
  field: v3Error(422, title, { image_url: reason }),
  oversize: { status: 422, body: { ...withoutErrors(422, oversize), code: 10001 } },
}

function withoutErrors(status: number, text: string): Record<string, unknown> {
  const { errors: _none, ...body } = errorBody(status, text)
  return body
}
