import type { Mishap } from '../faults/faults.ts'
import type { SandboxAnswer } from '../http/resource.ts'
import { type Call, errorOf, send, sendHalf, sendOverloaded, sendPage } from './send-answer.ts'
import { sleep } from './sleep.ts'

export const QUOTA_USED_UP = 'You have exceeded your API request quota. Please retry later.'

/**
 * Answers a call with a mishap.
 *
 * @param apply carries out the call, and is called at most once
 * @param released when a held answer may go
 */
export async function misbehave(
  call: Call,
  fault: Mishap,
  apply: () => Promise<SandboxAnswer>,
  { closing, released }: { closing: AbortSignal; released: Promise<void> | undefined },
): Promise<void> {
  const cut = () => call.response.socket?.resetAndDestroy()
  const failed = (status: number) => send(call, errorOf(call, status, 'Simulated failure'))
  switch (fault.kind) {
    case 'hold_after_applying':
      return sendReleased(call, await apply(), released)
    case 'reset_after_applying':
      await apply()
      return void cut()
    case 'reset_before_applying':
      return void cut()
    case 'error_after_applying':
      await apply()
      return failed(fault.status ?? 500)
    case 'error_before_applying':
      return failed(fault.status ?? 503)
    case 'apply_late':
      await sleep((fault.seconds ?? 1) * 1000, closing)
      if (closing.aborted) return
      await apply()
      return void cut()
    case 'slow':
      await sleep((fault.seconds ?? 1) * 1000, closing)
      return closing.aborted ? undefined : send(call, await apply())
    case 'truncated_body':
      return sendHalf(call, await apply())
    case 'empty_body':
      return send(call, { status: (await apply()).status })
    case 'too_many_requests':
      return send(call, errorOf(call, 429, QUOTA_USED_UP))
    case 'overloaded':
      return sendOverloaded(call)
    case 'list_ends_early':
      return send(call, emptied(await apply()))
    case 'html_page':
      await apply()
      return sendPage(call)
    case 'rows_reordered':
    case 'row_missing':
    case 'row_twice':
    case 'ids_as_text':
    case 'rows_rewritten':
      return send(call, withOtherRows(await apply(), fault.kind, fault.rewrites))
    default:
      fault.kind satisfies never
  }
}

async function sendReleased(call: Call, answer: SandboxAnswer, released: Promise<void> | undefined): Promise<void> {
  await released
  if (!call.response.destroyed) send(call, answer)
}

/** Resolves when the answers that the store holds are released, or when the client disconnects. */
export function untilReleased({ host: { held }, response }: Call): Promise<void> {
  return new Promise((resolve) => {
    const release = () => {
      held.delete(release)
      resolve()
    }
    held.add(release)
    response.once('close', release)
  })
}

function withOtherRows(
  answer: SandboxAnswer,
  kind: 'rows_reordered' | 'row_missing' | 'row_twice' | 'ids_as_text' | 'rows_rewritten',
  rewrites: Record<string, unknown> = {},
): SandboxAnswer {
  switch (kind) {
    case 'rows_reordered':
      return withRows(answer, (rows) => rows.toReversed())
    case 'row_missing':
      return withRows(answer, (rows) => rows.slice(1))
    case 'row_twice':
      return withRows(answer, (rows) => [...rows.slice(0, 1), ...rows])
    case 'ids_as_text':
      return withRows(answer, (rows) => rows.map(withTextId))
    case 'rows_rewritten':
      return withRows(answer, (rows) => rows.map((row) => rewritten(row, rewrites)))
  }
}

/** The answer with changed rows. An answer that is not a list stays as it is. */
function withRows(answer: SandboxAnswer, change: (rows: unknown[]) => unknown[]): SandboxAnswer {
  if (Array.isArray(answer.body)) return { ...answer, body: change(answer.body) }
  const body = answer.body as { data?: unknown } | undefined
  return body && Array.isArray(body.data) ? { ...answer, body: { ...body, data: change(body.data) } } : answer
}

function withTextId(row: unknown): unknown {
  const { id } = (row ?? {}) as { id?: unknown }
  return typeof id === 'number' ? { ...(row as object), id: String(id) } : row
}

function rewritten(row: unknown, rewrites: Record<string, unknown>): unknown {
  if (row === null || typeof row !== 'object') return row
  const saved = row as Record<string, unknown>
  const fields = Object.entries(rewrites).map(([field, value]) => [
    field,
    value === 'lower case' ? String(saved[field]).toLowerCase() : value,
  ])
  return { ...saved, ...Object.fromEntries(fields) }
}

/** The answer with the same total but no rows, as if the platform lost track of a list. v2 lists end with a 204. */
function emptied(answer: SandboxAnswer): SandboxAnswer {
  if (Array.isArray(answer.body)) return { status: 204 }
  const body = answer.body as { data?: unknown; meta?: { pagination?: Record<string, unknown> } } | undefined
  if (!body || !Array.isArray(body.data)) return answer
  const pagination = body.meta?.pagination
  const meta = pagination ? { ...body.meta, pagination: { ...pagination, count: 0 } } : body.meta
  return { status: answer.status, body: { ...body, data: [], meta } }
}
