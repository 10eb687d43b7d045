import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifySchema } from 'fastify'
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { errorBody } from '../contract/error-body.ts'
import { operationPermissions } from '../contract/permissions.ts'
import type { RouteInput } from './route-input.ts'
import type { Route } from './routes.ts'

/** Shapes that the description names once. Our own registry: zod's global one belongs to the whole process. */
const named = z.registry<{ id?: string }>()
named.add(errorBody, { id: 'Error' })

/** Describes every route registered after it. The version is the specification's. */
export async function describeApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Storeferry',
        version: '2.0.0',
        description: 'Copies a BigCommerce store to another store of the same organisation, and proves the copy is right.',
      },
      components: { securitySchemes: { bearerToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    },
    transform: createJsonSchemaTransform({ schemaRegistry: named }),
    transformObject: createJsonSchemaTransformObject({ schemaRegistry: named }),
  })
}

/** What the description says about a route. */
export function routeSchema({ operation, answer }: Route, { merge: _, ...parts }: RouteInput): FastifySchema {
  const isPublic = operationPermissions[operation.name] === 'public'
  return {
    operationId: operation.name,
    summary: operation.summary,
    ...(!isPublic && { security: [{ bearerToken: [] }] }),
    ...parts,
    response: { [answer]: answer === 204 ? z.undefined() : operation.output, '4xx': errorBody, '5xx': errorBody },
  }
}
