/** Runs the scenario that the command line names and prints what it gives as JSON. */
export async function tell(scenarios: Record<string, (input: never) => Promise<unknown>>): Promise<void> {
  const [scenario = '', inputText = 'null'] = process.argv.slice(2)
  const run = scenarios[scenario]
  if (!run) throw new Error(`there is no scenario ${scenario}`)
  // The test names the scenario and knows what it takes.
  process.stdout.write(JSON.stringify((await run(JSON.parse(inputText) as never)) ?? null))
}
