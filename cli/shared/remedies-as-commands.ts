/** Routes that the API's messages give as remedies, with the equivalent commands. */
export const commands = {
  'GET /v2/migrations': 'storeferry list',
  'GET /v2/migrations/{id}': 'storeferry status $1',
  'GET /v2/migrations/{id}/request': 'storeferry status $1 --json',
  'GET /v2/stores': 'storeferry stores',
  'GET /v2/stores/{hash}/storefronts': 'storeferry stores $1',
  'POST /v2/login': 'storeferry login',
}

const replacements = Object.entries(commands).map(([route, command]) => ({
  // A longer path is another route. A message may contain the id itself, or `{id}`.
  named: new RegExp(`${route.replace(/\{\w+\}/, '([\\w-]+|\\{\\w+\\})')}(?![\\w/])`, 'g'),
  command: `"${command}"`,
}))

/** A message of the API for a person at the command line. */
export function remediesAsCommands(message: string): string {
  return replacements.reduce((text, { named, command }) => text.replaceAll(named, command), message)
}
