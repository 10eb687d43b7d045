import type { z } from 'zod'
import type { ToolCaller } from '../accounts/caller.ts'
import type { ReadingOperationName } from '../contract/accounts/permissions.ts'
import type { Operation } from '../operations/shared/operation.ts'

/** An operation that only reads; tools can use no others. */
export type ReadingOperation<Input, Output> = Operation<Input, Output, ToolCaller, ReadingOperationName>

/** What a tool can use: no database, no store, and no operation that writes. */
export interface ToolContext {
  /** The caller, with the role verified for this call. */
  caller: ToolCaller
  /** Performs an operation as the caller, with the usual checks of permission and input. */
  read<Input, Output>(operation: ReadingOperation<Input, Output>, input: object): Promise<Output>
  /** URL of a portal page, for links in the result. */
  portalUrl(path: string): string
}

/** What a tool's arguments identify; selects the message of `not_found`. */
export type Subject = 'run' | 'store' | 'issue' | 'item' | 'storefront'

/**
 * One tool. `answer` maps the operations' results to what `output` declares. Afterwards nulls are dropped, names become
 * snake_case, and values under names that begin with `untrusted_` are cleaned (S17).
 */
export interface Tool {
  name: string
  title: string
  /** What it returns, when to use it, and when to use another tool instead. */
  about: string
  /** Calls a store while the caller waits. */
  live?: true
  subject?: Subject
  input: z.ZodObject
  output: z.ZodObject
  answer(input: never, context: ToolContext): Promise<object>
}

/** Ties the type of the input to `answer`; the registry's type loses it. */
export function defineTool<Input extends z.ZodObject>(
  tool: Omit<Tool, 'input' | 'answer'> & {
    input: Input
    answer(input: z.output<Input>, context: ToolContext): Promise<object>
  },
): Tool {
  return tool
}
