import { isUtf8 } from 'node:buffer'
import { errorCodes, type FastifyInstance } from 'fastify'

/**
 * Bodies are JSON in UTF-8, whatever charset a caller names. Node would replace what is none, and a name would be stored with � in it.
 * Source: RFC 8259, 8.1.
 */
export function readOnlyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (isUtf8(body)) parse(request, body.toString(), done)
    else done(new errorCodes.FST_ERR_CTP_INVALID_JSON_BODY())
  })
}
