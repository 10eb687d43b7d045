import { type DestinationId, destinationId, simulatedPrefix } from '../../model/destination-id.ts'

/** In place of the id that an item of a dry run would get (F2). */
export function simulatedId(component: string, sourceId: string): DestinationId {
  return destinationId(`${simulatedPrefix}${component}:${sourceId}`)
}

export function isSimulated(id: string): boolean {
  return id.startsWith(simulatedPrefix)
}
