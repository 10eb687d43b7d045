import { type EventKind, eventKinds, eventMeanings } from '../../../src/contract/event-kinds.ts'
import { Checkbox } from '../../ui/choices.tsx'
import { eventWords } from './event-words.ts'

interface Props {
  legend: string
  chosen: readonly EventKind[]
  onChange: (chosen: EventKind[]) => void
}

/** Any number of kinds of events, each with its meaning. */
export function EventChoice({ legend, chosen, onChange }: Props) {
  const mark = (event: EventKind, isChosen: boolean) =>
    onChange(eventKinds.filter((each) => (each === event ? isChosen : chosen.includes(each))))
  return (
    <fieldset className="choices">
      <legend>{legend}</legend>
      {eventKinds.map((event) => (
        <Checkbox
          key={event}
          label={eventWords[event]}
          meaning={eventMeanings[event]}
          isChecked={chosen.includes(event)}
          onChange={(isChosen) => mark(event, isChosen)}
        />
      ))}
    </fieldset>
  )
}
