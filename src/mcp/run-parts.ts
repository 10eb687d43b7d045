import { ServiceError } from '../contract/service-error.ts'
import { getMigration } from '../operations/migrations/get-migration.ts'
import type { ToolContext } from './tool.ts'

export function noSuch(part: 'phase' | 'component', known: readonly { key: string }[]): ServiceError {
  const keys = known.map(({ key }) => key).join(', ')
  return new ServiceError('validation_failed', `No such ${part}.`, {
    errors: { [part]: [`The ${part}s of the run are ${keys}.`] },
  })
}

/** For an empty list: of a part that the run does not have, it would say that nothing is wrong with it. */
export async function refuseUnknownPart(
  { id, phase, component }: { id: string; phase?: string | undefined; component?: string | undefined },
  read: ToolContext['read'],
): Promise<void> {
  if (phase === undefined && component === undefined) return
  const { phases } = await read(getMigration, { id })
  const components = phases.flatMap((one) => one.components)
  if (phase !== undefined && !phases.some(({ key }) => key === phase)) throw noSuch('phase', phases)
  if (component !== undefined && !components.some(({ key }) => key === component)) throw noSuch('component', components)
}
