const ofTheDocument = 'Says how the document is to be read, not what the service does.'

/** What the specification says and no test here has for its title, by section and sentence, with what it waits for. */
export const pending: Record<string, Record<string, string>> = {
  'Store Migration Service Specification': {
    "This document covers the whole service: the store-to-store migration API (run detail read, organisation login, credential issuing) and the assistant-tool endpoint (JSON-RPC style, 'MCP') with its OAuth 2.0 authorisation flow.":
      ofTheDocument,
    'It is the only document.': ofTheDocument,
    'Placeholders: `{base_url}` is the base address of the migration API, including its version path prefix.':
      ofTheDocument,
    '`{site_url}` is the host root of the platform that also serves the tool endpoint.': ofTheDocument,
  },
  'What the service does': {
    'A second access path, a read-only tool endpoint with 30 tools acting as the signed-in user, is authorised with OAuth 2.0 (authorisation code with PKCE).':
      'Told in parts by the titles of Endpoints, Authentication and Limits.',
  },
  Authentication: {
    'The secret is handed to the customer over a secure channel, never plain email or chat.':
      'What administrators do with it; the service sends it to nobody.',
    'Keep the verifier in memory tied to the `state`.': 'What the client does; the service cannot see it.',
  },
}
