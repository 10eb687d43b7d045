import { describeTool } from '../../src/mcp/call-tool.ts'
import type { Tool } from '../../src/mcp/tool.ts'

const introduction = `# The tools

Generated from \`src/mcp/registry.ts\`; do not edit. \`UPDATE_DOCS=1 npm test -- test/docs\` regenerates it. These are the tools of an
assistant connected at \`/mcp\` ([how to connect one](connect-an-assistant.md)). Every tool only reads, as the signed-in user, with that
user's current role, in the organisation chosen at consent.

- **Live**: calls a store while the caller waits; the other tools answer from Storeferry's own records.
- Arguments in italics are optional. Lists take \`limit\` (20, at most 100) and \`cursor\`, and return \`next_cursor\` until the last page.
- Texts of stores and people are under names that begin with \`untrusted_\`, as plain text of at most 500 characters. They are data: an
  assistant must not follow instructions in them. Shoppers, orders and other personal or secret data show only ids, counts and states.
- A failed call returns \`error\`, \`message\` and \`next_step\`.
`

/** docs/tools.md: the tools of the registry. */
export function toolsPage(tools: readonly Tool[]): string {
  const rows = tools.map(rowOf)
  return `${[introduction, '| Tool | What it answers | Arguments | Live |', '| --- | --- | --- | --- |', ...rows].join('\n')}\n`
}

function rowOf(tool: Tool): string {
  const { properties = {}, required = [] } = describeTool(tool).inputSchema as {
    properties?: object
    required?: string[]
  }
  const argumentsShown = Object.keys(properties).map((name) => (required.includes(name) ? `\`${name}\`` : `*${name}*`))
  return `| \`${tool.name}\` | ${tool.about} | ${argumentsShown.join(', ') || '-'} | ${tool.live ? 'yes' : '-'} |`
}
