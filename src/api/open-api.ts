import swagger, { type SwaggerTransformObject } from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifySchema } from 'fastify'
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { sessionCookieName } from '../accounts/session-cookie.ts'
import { isOpenToBearerTokens, type OperationName, operationPermissions } from '../contract/accounts/permissions.ts'
import { errorBody } from '../contract/error-body.ts'
import { type FileFormat, mediaTypeOf } from './list-file.ts'
import type { RouteInput } from './route-input.ts'
import type { Route } from './routes.ts'

/** Removes noise that zod adds: the safe-integer bounds of every integer, and the long patterns of dates and UUIDs. */
const readable: ZodToJsonConfig = {
  override: ({ jsonSchema }) => {
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    if (jsonSchema.format === 'date-time' || jsonSchema.format === 'uuid') delete jsonSchema.pattern
  },
}
type ZodToJsonConfig = NonNullable<Parameters<typeof createJsonSchemaTransform>[0]['zodToJsonConfig']>

/** Describes every route registered after it. The version is the specification's. */
export async function describeApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Storeferry',
        version: '2.0.0',
        description:
          'Copies a BigCommerce store to another store of the same organisation, and proves the copy is right.',
      },
      components: {
        securitySchemes: {
          bearerToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: sessionCookieName,
            description:
              'Set by the sign-in page of the portal. Requests that change something must come from a page of the same origin. ' +
              'A member of several organisations names one in the header Storeferry-Organization.',
          },
        },
      },
    },
    transform: createJsonSchemaTransform({ zodToJsonConfig: readable }),
    transformObject: withoutUnreferenced(createJsonSchemaTransformObject({ zodToJsonConfig: readable })),
  })
}

export const descriptionPath = '/v2/openapi.json'

/**
 * The description as a readable page. "Try it out" is off: a signed-in reader would run requests against their own
 * stores.
 */
export async function showDescription(app: FastifyInstance): Promise<void> {
  await app.register(swaggerUi, {
    routePrefix: '/v2/docs',
    uiConfig: { url: descriptionPath, docExpansion: 'list', supportedSubmitMethods: [], validatorUrl: null },
    theme: { title: 'Storeferry API v2' },
    // Swagger UI needs inline styles; everything else is as strict as on our own pages.
    staticCSP: {
      'default-src': "'none'",
      'base-uri': "'none'",
      'connect-src': "'self'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
      'img-src': ["'self'", 'data:'],
      'script-src': "'self'",
      'style-src': ["'self'", "'unsafe-inline'"],
    },
  })
}

/** The type provider emits each named schema twice, as input and as output; unreferenced ones are dropped. */
function withoutUnreferenced(transformObject: SwaggerTransformObject): SwaggerTransformObject {
  return (document) => {
    const described = transformObject(document)
    describeHeaders(described)
    for (const answer of emptyAnswers(described)) Object.assign(answer, { description: 'Done.', content: undefined })
    for (const body of bodiesWithoutRequired(described)) body.required = false
    for (const parameter of listParameters(described)) sayBesideSchema(parameter)
    const schemas = ('components' in described && described.components?.schemas) || {}
    const text = JSON.stringify(described)
    for (const name of Object.keys(schemas)) if (!text.includes(`"#/components/schemas/${name}"`)) delete schemas[name]
    return described
  }
}

/** Headers of answers that programs act on; the type provider knows bodies only. */
const answerHeaders = {
  Location: { schema: { type: 'string' }, description: 'Path of the migration.' },
  'Retry-After': {
    schema: { type: 'integer' },
    description: 'Seconds after which the request can be repeated, with 429, 503 and some 409.',
  },
  'X-Read-Source': {
    schema: { type: 'string' },
    description: 'Where the answer was read: `engine`, `postgres`, or the search index, `sqlite` or `opensearch`.',
  },
} as const
type AnswerHeader = keyof typeof answerHeaders

/** Of successful answers. */
const headerOf: Partial<Record<OperationName, AnswerHeader>> = {
  'create-migration': 'Location',
  verify: 'Location',
  'get-migration': 'X-Read-Source',
  'get-issue': 'X-Read-Source',
  'search-issues': 'X-Read-Source',
  'count-issues': 'X-Read-Source',
}

interface DescribedOperation {
  operationId: OperationName
  responses: Record<string, { headers?: object }>
}

function describeHeaders(described: ReturnType<SwaggerTransformObject>): void {
  const { paths } = described as { paths: Record<string, Record<string, DescribedOperation>> }
  for (const { operationId, responses } of Object.values(paths).flatMap((methods) => Object.values(methods)))
    for (const [status, answer] of Object.entries(responses)) {
      const name = /^[45]/.test(status) ? 'Retry-After' : headerOf[operationId]
      if (name) answer.headers = { [name]: { $ref: `#/components/headers/${name}` } }
    }
  Object.assign(described, {
    components: { ...('components' in described && described.components), headers: answerHeaders },
  })
}

/** The type provider describes an empty response as any JSON. */
function emptyAnswers(described: object): object[] {
  const { paths } = described as { paths: Record<string, Record<string, { responses: Record<string, object> }>> }
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  return operations.flatMap(({ responses }) => (responses[204] ? [responses[204]] : []))
}

/** A body with optional fields only may be omitted. */
function bodiesWithoutRequired(described: object): { required?: boolean }[] {
  const { paths } = described as { paths: Record<string, Record<string, { requestBody?: RequestBody }>> }
  const bodies = Object.values(paths).flatMap((methods) => Object.values(methods).map((one) => one.requestBody))
  return bodies
    .filter((body) => body !== undefined)
    .filter(({ content }) => !content['application/json']?.schema.required)
}

interface Parameter {
  explode?: boolean
  schema: { explode?: boolean }
}

/** Parameters that accept several comma-separated values. */
function listParameters(described: object): Parameter[] {
  const { paths } = described as { paths: Record<string, Record<string, { parameters?: Parameter[] }>> }
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  return operations.flatMap(({ parameters = [] }) => parameters).filter(({ schema }) => schema.explode === false)
}

/** How a list is serialised belongs to the parameter; the type provider can only put it into the schema. */
function sayBesideSchema(parameter: Parameter): void {
  delete parameter.schema.explode
  parameter.explode = false
}

interface RequestBody {
  required?: boolean
  content: Record<string, { schema: { required?: string[] } }>
}

export function routeSchema({ operation, answer }: Route, { merge: _, ...parts }: RouteInput): FastifySchema {
  const format = typeof answer === 'object' && (answer.file === 'ndjson' ? 'ndjson' : 'csv')
  return {
    operationId: format ? `${operation.name}-${format}` : operation.name,
    summary: format ? `As a file: ${operation.summary}` : operation.summary,
    ...securityOf(operation.name),
    ...parts,
    response: {
      ...answersOf(answer, operation.output),
      '4xx': json('Refused; `error` says why.', errorBody),
      '5xx': json('Not possible right now.', errorBody),
    },
  }
}

function answersOf(answer: Route['answer'], output: z.ZodType) {
  if (answer === 'events') return eventAnswers
  if (answer === 204) return { 204: z.undefined() }
  if (typeof answer === 'number') return { [answer]: json('Done.', output) }
  const content = { [mediaTypeOf(answer.file)]: { schema: z.string() } }
  return { 200: { description: `Every page of the list, ${writtenAs(answer.file)}`, content } }
}

function writtenAs(format: FileFormat): string {
  if (format === 'ndjson') return 'one line of JSON per item, in the shape of the list.'
  return `with the columns ${format.csv.join(', ')}. Cells that a spreadsheet would read as formulas begin with an apostrophe.`
}

/** Either scheme is enough. */
function securityOf(operation: OperationName): Pick<FastifySchema, 'security'> {
  if (operationPermissions[operation] === 'public') return {}
  const bearerToken = isOpenToBearerTokens(operation) ? [{ bearerToken: [] }] : []
  return { security: [...bearerToken, { session: [] }] }
}

const eventAnswers = {
  200: {
    description:
      'Events `migration` (a MigrationDetail, on every change) and `end`. The stream ends with the migration, or after an hour.',
    content: { 'text/event-stream': { schema: z.string() } },
  },
  204: z.undefined(),
}

function json(description: string, schema: z.ZodType) {
  return { description, content: { 'application/json': { schema } } }
}
