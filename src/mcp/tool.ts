import type { z } from 'zod'
import type { ToolCaller } from '../accounts/caller.ts'
import type { ReadingOperationName } from '../contract/permissions.ts'
import type { Operation } from '../operations/shared/operation.ts'

/** An operation that only reads: the one kind a tool can ask for. */
export type ReadingOperation<Input, Output> = Operation<Input, Output, ToolCaller, ReadingOperationName>

/** What a tool is given. There is no database, no store and no writing operation in it. */
export interface ToolContext {
  /** The caller with the role of this very call. */
  caller: ToolCaller
  /** Performs an operation as the caller, permission and input checked as for anybody. */
  ask<Input, Output>(operation: ReadingOperation<Input, Output>, input: object): Promise<Output>
  /** Pages of the portal, for the answer to point at. */
  portalUrl(path: string): string
}

/** What an argument named, for the words of "there is no such". */
export type Subject = 'run' | 'store' | 'issue' | 'item' | 'storefront'

/**
 * One tool. `answer` gives what the operations gave, mapped to what `output` declares: nulls are left out and names become snake_case
 * on the way out, and whatever stands under a name that begins with `untrusted_` is cleaned (S17).
 */
export interface Tool {
  name: string
  title: string
  /** What it returns, when to use it, and when to use a neighbour instead. */
  about: string
  /** Asks a store while the caller waits. */
  live?: true
  subject?: Subject
  input: z.ZodObject
  output: z.ZodObject
  answer(input: never, context: ToolContext): Promise<object>
}

/** Ties the input's type to the function; the registry holds tools without it. */
export function defineTool<Input extends z.ZodObject>(
  tool: Omit<Tool, 'input' | 'answer'> & {
    input: Input
    answer(input: z.output<Input>, context: ToolContext): Promise<object>
  },
): Tool {
  return tool
}
