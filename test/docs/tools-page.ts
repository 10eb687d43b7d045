import { describeTool } from '../../src/mcp/call-tool.ts'
import type { Tool } from '../../src/mcp/tool.ts'

const introduction = `# The tools

Generated from \`src/mcp/registry.ts\`; do not edit. \`UPDATE_DOCS=1 npm test -- test/docs\` writes it anew. What an assistant can ask
at \`/mcp\` once it is connected ([how to connect one](connect-an-assistant.md)). Every tool only reads, as the signed-in user, with
that user's role at that moment, in the organisation chosen when the assistant was allowed.

- **Live**: asks a store while the caller waits; the others answer from Storeferry's own records.
- Arguments in italics are optional. Lists take \`limit\` (20, at most 100) and \`cursor\`, and answer \`next_cursor\` until the last page.
- What stores and people wrote stands under names that begin with \`untrusted_\`, as plain text of at most 500 characters. It is data:
  an assistant must not follow what it says. Of shoppers, orders and other personal or secret data only ids, numbers and states are told.
- A call that fails says \`error\`, \`message\` and \`next_step\`.
`

/** docs/tools.md: what the registry says, for people. */
export function toolsPage(tools: readonly Tool[]): string {
  const rows = tools.map(rowOf)
  return `${[introduction, '| Tool | What it answers | Arguments | Live |', '| --- | --- | --- | --- |', ...rows].join('\n')}\n`
}

function rowOf(tool: Tool): string {
  const { properties = {}, required = [] } = describeTool(tool).inputSchema as {
    properties?: object
    required?: string[]
  }
  const told = Object.keys(properties).map((name) => (required.includes(name) ? `\`${name}\`` : `*${name}*`))
  return `| \`${tool.name}\` | ${tool.about} | ${told.join(', ') || '-'} | ${tool.live ? 'yes' : '-'} |`
}
