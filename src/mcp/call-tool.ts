import type { CallToolResult } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { ToolCaller } from '../accounts/caller.ts'
import { isReading } from '../contract/accounts/permissions.ts'
import { ServiceError } from '../contract/service-error.ts'
import { withoutDatabase } from '../operations/shared/database-away.ts'
import type { Deps } from '../operations/shared/operation.ts'
import { perform, plainMessage } from '../operations/shared/perform.ts'
import { present } from './present.ts'
import type { Tool, ToolContext } from './tool.ts'
import { toolError } from './tool-errors.ts'

/** Counts a live call against the limit of its organisation (S17). @throws ServiceError `rate_limited` */
export type CountLive = (organisationId: string) => void

/** Runs one tool for one caller. An error is returned as a result with `isError`, so that the model can react to it. */
export async function callTool(
  tool: Tool,
  given: unknown,
  caller: ToolCaller,
  deps: Deps,
  countLive: CountLive,
): Promise<CallToolResult> {
  const parsed = parseArguments(tool, given)
  if (!parsed.success) return failed(tool, new ServiceError('validation_failed', ''), wrongArguments(parsed.error))
  try {
    if (tool.live) countLive(caller.organisationId)
    // The input was parsed by the tool's own schema.
    const answer = await tool.answer(parsed.data as never, contextFor(caller, deps))
    const structuredContent = tool.output.parse(present(answer))
    return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent }
  } catch (error) {
    if (!(error instanceof ServiceError)) deps.log.error({ err: error, tool: tool.name }, 'A tool failed')
    const known =
      error instanceof ServiceError
        ? error
        : (withoutDatabase(error) ?? new ServiceError('internal_error', 'A tool failed.'))
    return failed(tool, known)
  }
}

function failed(tool: Tool, known: ServiceError, errors?: Record<string, string[]>): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(toolError(known, tool, errors)) }] }
}

function parseArguments(tool: Tool, given: unknown) {
  // Models often write null for what they leave out; no argument means anything by it.
  const said = Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== null))
  return tool.input.safeParse(said, { error: plainMessage })
}

function wrongArguments({ issues }: z.ZodError): Record<string, string[]> {
  const errors: Record<string, string[]> = Object.create(null)
  for (const issue of issues) {
    const names = issue.code === 'unrecognized_keys' ? issue.keys : [issue.path.map(String).join('.') || 'arguments']
    const message = issue.code === 'unrecognized_keys' ? 'Unknown argument.' : issue.message
    for (const name of names.slice(0, 20)) errors[name.slice(0, 64)] = [message]
  }
  return errors
}

function contextFor(caller: ToolCaller, deps: Deps): ToolContext {
  return {
    caller,
    async read(operation, input) {
      // The types already forbid it; this also catches a cast.
      if (!isReading(operation.name)) throw new TypeError(`${operation.name} is not read-only: tools may not use it.`)
      return (await perform(operation, input, caller, deps)).output
    },
    portalUrl: (path) => `${deps.settings.siteUrl}/app${path}?org=${caller.organisationId}`,
  }
}

/** A tool as `tools/list` returns it. Kept short, because models read the whole list every time. */
export function describeTool({ name, title, about, live, input, output }: Tool) {
  return {
    name,
    title,
    description: about,
    inputSchema: jsonSchema(input, 'input'),
    outputSchema: withoutRequired(jsonSchema(output, 'output')),
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: live === true,
    },
  }
}

type JsonObject = { [key: string]: unknown }

function jsonSchema(schema: z.ZodObject, io: 'input' | 'output'): JsonObject & { type: 'object' } {
  const { $schema: _, ...made } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema: made }) => {
      if (made.minimum === Number.MIN_SAFE_INTEGER) delete made.minimum
      if (made.maximum === Number.MAX_SAFE_INTEGER) delete made.maximum
      if (made.format === 'date-time') delete made.pattern
      // The server enforces these anyway, and they help a model little.
      if (made.type === 'string') delete made.maxLength
      if (made.type === 'array') delete made.maxItems
      delete made.propertyNames
      if (io === 'output') delete made.additionalProperties
    },
  })
  // The schema of a z.object has type object.
  return made as JsonObject & { type: 'object' }
}

/** Output fields are optional. Dropping `required` halves the size of the schemas. */
function withoutRequired<Schema>(schema: Schema): Schema {
  if (Array.isArray(schema)) return schema.map(withoutRequired) as Schema
  if (typeof schema !== 'object' || schema === null) return schema
  const kept = Object.entries(schema).filter(([key, value]) => key !== 'required' || !Array.isArray(value))
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutRequired(value)])) as Schema
}
