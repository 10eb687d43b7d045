import { generate } from 'selfsigned'

/** Both as PEM. */
export interface Certificate {
  certificate: string
  privateKey: string
}

/** Includes the platform's host name, for clients that reach the sandbox under it. */
const NAMES = ['localhost', 'api.bigcommerce.com']

/**
 * Clients refuse server certificates that are valid for more than 825 days. The sandbox issues a new one at every
 * start.
 */
const DAYS = 365
const DAY_MS = 24 * 60 * 60 * 1000

/** A self-signed certificate for this machine. Clients have to be configured to trust it. */
export async function makeCertificate(): Promise<Certificate> {
  const now = Date.now()
  const altNames = [
    ...NAMES.map((value) => ({ type: 2 as const, value })),
    { type: 7 as const, ip: '127.0.0.1' },
    { type: 7 as const, ip: '::1' },
  ]
  const made = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    // Allows for clocks that differ between containers and their hosts.
    notBeforeDate: new Date(now - DAY_MS),
    notAfterDate: new Date(now + DAYS * DAY_MS),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames },
    ],
  })
  return { certificate: made.cert, privateKey: made.private }
}
