import type { Tool } from './tool.ts'
import { whoami } from './tools/account.ts'

/** Every tool, in the order in which they are listed. */
export const tools: readonly Tool[] = [whoami]
