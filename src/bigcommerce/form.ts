import { createHash } from 'node:crypto'

/** A file that a store only accepts as a form. */
export interface FormFile {
  /** The name of the form field. */
  field: string
  fileName: string
  contentType: string
  bytes: Buffer
}

/** Written the way browsers do (RFC 7578). */
export function encodeForm({ field, fileName, contentType, bytes }: FormFile): { contentType: string; body: Buffer } {
  // A hash of the bytes cannot occur in them, and stays the same when they are sent again.
  const boundary = `storeferry-${createHash('sha256').update(bytes).digest('hex')}`
  const head = [
    `--${boundary}`,
    `Content-Disposition: form-data; name="${quoted(field)}"; filename="${quoted(fileName)}"`,
    `Content-Type: ${contentType}`,
    '',
    '',
  ].join('\r\n')
  const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)])
  return { contentType: `multipart/form-data; boundary=${boundary}`, body }
}

function quoted(name: string): string {
  return name.replace(/[\r\n"]/g, encodeURIComponent)
}
