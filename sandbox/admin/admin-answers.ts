import type { SandboxAnswer } from '../http/resource.ts'

export const done = (body: unknown): SandboxAnswer => ({ status: 200, body })

export const refused = (status: number, message: string): SandboxAnswer => ({ status, body: { error: message } })
