import { refuse } from '../../http/answers.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import { consentTable, customerTable, customerTime, CUSTOMER_SCOPE as SCOPE } from '../../tables/customer-tables.ts'
import { numberParam, objectBody, refuseIfAny, refuseJson, rowOr404 } from '../../validation/body-checks.ts'

const PATH = '/v3/customers/:customerId/consent'
const KINDS = ['essential', 'functional', 'analytics', 'targeting']

/** The time is that of the call, not of the last change. Source: the note of the published `updated_at`. */
function answer({ store }: SandboxRequest, customer_id: number): SandboxAnswer {
  const row = consentTable(store).find({ customer_id })[0]
  return { status: 200, body: { allow: row?.allow ?? [], deny: row?.deny ?? [], updated_at: customerTime() } }
}

function named(request: SandboxRequest): number {
  return rowOr404(customerTable(request.store), numberParam(request, 'customerId')).id
}

function complaintAbout(kinds: unknown): string | undefined {
  if (!Array.isArray(kinds)) return 'must be an array'
  if (new Set(kinds).size < kinds.length) return 'names a kind twice'
  return kinds.every((kind) => KINDS.includes(kind)) ? undefined : `must be of ${KINDS.join(', ')}`
}

function declare(request: SandboxRequest): SandboxAnswer {
  const customer_id = named(request)
  const { allow, deny } = objectBody(request.body)
  const missing = Object.entries({ allow, deny }).filter(([, kinds]) => kinds === undefined)
  if (missing.length > 0) refuseJson(missing.map(([field]) => field))
  const complaints = Object.entries({ allow: complaintAbout(allow), deny: complaintAbout(deny) })
  refuseIfAny(Object.fromEntries(complaints.flatMap(([field, text]) => (text ? [[field, `${field} ${text}`]] : []))))
  // Checked above.
  const both = [allow, deny] as unknown[][]
  if (both[0]?.some((kind) => both[1]?.includes(kind))) refuse(422, 'A kind is allowed and denied')
  const table = consentTable(request.store)
  const own = table.find({ customer_id })[0]
  const fields = { allow: both[0], deny: both[1] }
  if (own) table.update(own.id, fields)
  else table.insert({ customer_id, ...fields })
  return answer(request, customer_id)
}

export const customerConsents: SandboxResource = {
  key: 'customer-consents',
  routes: [
    { method: 'GET', path: PATH, scope: SCOPE, latency: 'read', handle: (request) => answer(request, named(request)) },
    { method: 'PUT', path: PATH, scope: SCOPE, latency: 'write', handle: declare },
  ],
}
