export interface LoginFacts {
  url: string
  username: string
  email: string
  organization: string
  clientId: string
}

export const exampleKinds = ['curl', 'node', 'storeferry'] as const
export type ExampleKind = (typeof exampleKinds)[number]

/** Ready to paste. The secret comes from the environment, so that it is in no shell history. */
export function loginExample(kind: ExampleKind, facts: LoginFacts): string {
  return examples[kind](facts)
}

const examples: Record<ExampleKind, (facts: LoginFacts) => string> = {
  curl: (facts) => {
    const body = JSON.stringify({ ...namesOf(facts), client_secret: '$' })
    const [before = '', after = ''] = body.split('"$"')
    const secret = `"'"$STOREFERRY_CLIENT_SECRET"'"`
    return [
      `curl ${quoted(`${facts.url}/v2/login`)} \\`,
      "  -H 'content-type: application/json' \\",
      `  -d ${quoted(before).slice(0, -1)}${secret}${quoted(after).slice(1)}`,
    ].join('\n')
  },
  node: (facts) =>
    [
      `const answer = await fetch(${JSON.stringify(`${facts.url}/v2/login`)}, {`,
      "  method: 'POST',",
      "  headers: { 'content-type': 'application/json' },",
      '  body: JSON.stringify({',
      ...Object.entries(namesOf(facts)).map(([key, value]) => `    ${key}: ${JSON.stringify(value)},`),
      '    client_secret: process.env.STOREFERRY_CLIENT_SECRET,',
      '  }),',
      '})',
      'const { access_token } = await answer.json()',
    ].join('\n'),
  storeferry: ({ url, username, email, organization, clientId }) =>
    [
      `export STOREFERRY_URL=${quoted(url)}`,
      `storeferry login --username ${quoted(username)} --email ${quoted(email)} \\`,
      `  --organization ${quoted(organization)} --client-id ${quoted(clientId)}`,
    ].join('\n'),
}

function namesOf({ username, email, organization, clientId }: LoginFacts) {
  return { username, email, organization_name: organization, client_id: clientId }
}

/** Quotes any text as one word for a POSIX shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
