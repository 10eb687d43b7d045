import type { SandboxResource } from './resource.ts'

/** What this BigCommerce has. One line per resource. */
export const resources: SandboxResource[] = []
