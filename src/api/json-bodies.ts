import { isUtf8 } from 'node:buffer'
import { errorCodes, type FastifyInstance } from 'fastify'
import { ServiceError } from '../contract/service-error.ts'

/**
 * Bodies are JSON in UTF-8, whatever charset a caller names. Node would replace what is none, and a name would be stored with � in it.
 * Source: RFC 8259, 8.1.
 */
export function readOnlyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (!isUtf8(body)) return done(new errorCodes.FST_ERR_CTP_INVALID_JSON_BODY())
    const text = body.toString()
    parse(request, text, (error, value) => done(error && isJson(text) ? reservedKey() : error, value))
  })
}

/** The parser also refuses what would change the prototype of an object. */
function reservedKey(): ServiceError {
  return new ServiceError(
    'malformed_request',
    'The body has a key that JavaScript reserves: "__proto__", or "constructor" with "prototype" in it. Leave it out.',
  )
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
