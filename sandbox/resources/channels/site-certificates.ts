import { createPrivateKey, X509Certificate } from 'node:crypto'
import { ok } from '../../http/answers.ts'
import { textsIn } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import { objectBody, refuseIfAny } from '../../validation/body-checks.ts'
import { namedSite, siteCertificateTable, sitesTable, urlsOf } from './sites.ts'

type Body = Record<string, unknown>

const SCOPE = 'store_sites'
const ALL = '/v3/sites/certificates'
const ONE = '/v3/sites/:siteId/certificate'

/** The private key is checked but not kept: the platform never returns it, and the sandbox does not use it. */
function put(request: SandboxRequest): SandboxAnswer {
  const site = namedSite(request)
  const body = objectBody(request.body)
  const url = body.url === undefined ? String(site.url) : String(body.url)
  if (!urlsOf(site).some((known) => known.url === url)) refuseIfAny({ url: `${url} is not a URL of the site` })
  const { certificate, intermediate_certificates = '' } = checked(body.certificate)
  save(request.store, { site_id: site.id, url, certificate, intermediate_certificates })
  sitesTable(request.store).update(site.id, { ssl_status: 'dedicated' })
  return ok({})
}

/** A domain has just one certificate, so a new one replaces the old. Source: notes of the published PUT. */
function save(store: SandboxStore, row: Body & { url: string }): void {
  const table = siteCertificateTable(store)
  const own = table.find({ url_key: row.url })[0]
  if (own) table.update(own.id, row)
  else table.insert(row)
}

function checked(given: unknown): Body {
  const body = objectBody(given ?? {})
  const texts = ['certificate', 'private_key', 'intermediate_certificates']
  const wrong = texts.filter((field) => body[field] !== undefined && typeof body[field] !== 'string')
  refuseIfAny(Object.fromEntries(wrong.map((field) => [`certificate.${field}`, `${field} must be a string`])))
  const parsed = attempt(() => new X509Certificate(String(body.certificate)))
  const key = attempt(() => createPrivateKey(String(body.private_key)))
  refuseIfAny({
    ...(parsed ? {} : { 'certificate.certificate': 'certificate is not a certificate in PEM' }),
    ...(key ? {} : { 'certificate.private_key': 'private_key is not a key in PEM' }),
  })
  if (parsed && key && !parsed.checkPrivateKey(key))
    refuseIfAny({ 'certificate.private_key': 'private_key does not belong to the certificate' })
  return body
}

/** undefined if the parser throws, because the certificate is invalid. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Fields taken from the certificate itself. */
function shown({ certificate, intermediate_certificates }: Row): Body {
  const parsed = new X509Certificate(String(certificate))
  return {
    common_name: commonName(parsed.subject),
    subject_alternative_names: (parsed.subjectAltName ?? '')
      .split(', ')
      .filter(Boolean)
      .map((name) => name.replace(/^DNS:/, '')),
    validity_not_before: parsed.validFromDate.toISOString(),
    validity_not_after: parsed.validToDate.toISOString(),
    signing_algorithm: parsed.signatureAlgorithm ?? '',
    issuer: commonName(parsed.issuer),
    certificate,
    intermediate_certificates,
  }
}

function commonName(subject: string): string {
  return /^CN=(.*)$/m.exec(subject)?.[1] ?? ''
}

/** The certificate of the site's own URL. The one of the checkout is only in the full list. */
function getOne(request: SandboxRequest): SandboxAnswer {
  const site = namedSite(request)
  const own = siteCertificateTable(request.store).find({ site_id: site.id, url_key: String(site.url) })[0]
  return ok({ status: own ? 'dedicated' : 'shared', installed_certificate: own ? shown(own) : null })
}

function listAll({ store, query }: SandboxRequest): SandboxAnswer {
  const urls = textsIn(query, 'urls:in')
  return ok(
    siteCertificateTable(store)
      .find(urls ? { url_key: urls } : {})
      .map(shown),
  )
}

export const siteCertificates: SandboxResource = {
  key: 'site-certificates',
  routes: [
    { method: 'GET', path: ALL, scope: SCOPE, latency: 'read', handle: listAll },
    { method: 'GET', path: ONE, scope: SCOPE, latency: 'read', handle: getOne },
    { method: 'PUT', path: ONE, scope: SCOPE, latency: 'write', handle: put },
  ],
}
