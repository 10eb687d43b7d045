import { expect, test } from 'vitest'
import { distinctNames } from './distinct-names.ts'

test('what shares a name with another one is called in full, and all else in brief', () => {
  const lamps = [
    { name: 'Lamp', id: 1 },
    { name: 'Desk lamp', id: 2 },
    { name: 'Lamp', id: 3 },
  ]
  const nameOf = distinctNames(
    lamps,
    ({ name }) => name,
    ({ name, id }) => `${name}, id ${id}`,
  )
  expect(lamps.map(nameOf)).toEqual(['Lamp, id 1', 'Desk lamp', 'Lamp, id 3'])
})
