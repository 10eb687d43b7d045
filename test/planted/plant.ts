import type { PlantedFault } from './faults.ts'

/**
 * The text of a file with the fault in it.
 *
 * @throws when the text that the fault replaces is not there exactly once: the list no longer fits the code.
 */
export function plant(text: string, { name, file, find, replace }: PlantedFault): string {
  const parts = text.split(find)
  if (parts.length === 2) return parts.join(replace)
  throw new Error(`"${name}": its text occurs ${parts.length - 1} times in ${file}; it has to occur once.`)
}
