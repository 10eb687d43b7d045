/** Runs the scenario named on the command line and prints its result as JSON. */
export async function runScenario(scenarios: Record<string, (input: never) => Promise<unknown>>): Promise<void> {
  const [scenario = '', inputText = 'null'] = process.argv.slice(2)
  const run = scenarios[scenario]
  if (!run) throw new Error(`unknown scenario ${scenario}`)
  // The test names the scenario and knows its input.
  process.stdout.write(JSON.stringify((await run(JSON.parse(inputText) as never)) ?? null))
}
