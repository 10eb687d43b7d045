import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The path of a program that this machine has installed. */
export function findOnPath(name: string): string | undefined {
  const installed = (process.env.PATH ?? '').split(delimiter).map((directory) => join(directory, name))
  return installed.find((path) => existsSync(path))
}
