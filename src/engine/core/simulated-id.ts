import { type DestinationId, destinationId, simulatedPrefix } from '../../model/destination-id.ts'

/** The id of an item in a dry run, in place of the one that the destination would assign (F2). */
export function simulatedId(component: string, sourceId: string): DestinationId {
  return destinationId(`${simulatedPrefix}${component}:${sourceId}`)
}

export function isSimulated(id: string): boolean {
  return id.startsWith(simulatedPrefix)
}
