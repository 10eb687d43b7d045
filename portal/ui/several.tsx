import { type FocusEvent, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useLayer } from '../use-close-opened.ts'

interface Props<Value extends string> {
  label: string
  words: Record<Value, string>
  /** None of them means all. */
  chosen: readonly Value[]
  onChange: (chosen: Value[]) => void
}

/**
 * A choice of any number among a few, behind a button that says which. Escape, the back button, or a click elsewhere,
 * closes the list.
 */
export function Several<Value extends string>({ label, words, chosen, onChange }: Props<Value>) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  // The new search may take a while to load, and meanwhile the next click must count from what is ticked.
  const [marked, setMarked] = useState(chosen)
  const asked = chosen.join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: an equal list may be another array.
  useEffect(() => setMarked(chosen), [asked])
  // The keys of the words are the values.
  const values = Object.keys(words) as Value[]
  const [first] = marked
  const said = first === undefined ? 'All' : marked.length === 1 ? words[first] : `${marked.length} chosen`
  function mark(value: Value, isMarked: boolean) {
    const next = values.filter((each) => (each === value ? isMarked : marked.includes(each)))
    setMarked(next)
    onChange(next)
  }
  function close() {
    setOpen(false)
    button.current?.focus()
  }
  function closeByKey({ key }: KeyboardEvent) {
    if (key === 'Escape' && isOpen) close()
  }
  function closeWhenLeft({ currentTarget, relatedTarget }: FocusEvent) {
    if (!currentTarget.contains(relatedTarget)) setOpen(false)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears keys and focus of the controls in it.
    <div className="choice several" onKeyDown={closeByKey} onBlur={closeWhenLeft}>
      <span id={`${id}-label`}>{label}</span>
      <button
        ref={button}
        id={`${id}-button`}
        type="button"
        aria-labelledby={`${id}-label ${id}-button`}
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-list` : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {said}
      </button>
      {isOpen && (
        <OpenList id={`${id}-list`} label={label} onClose={close}>
          {values.map((value) => (
            <label key={value}>
              <input
                type="checkbox"
                checked={marked.includes(value)}
                onChange={({ currentTarget: { checked } }) => mark(value, checked)}
              />
              {words[value]}
            </label>
          ))}
        </OpenList>
      )}
    </div>
  )
}

function OpenList(props: { id: string; label: string; onClose: () => void; children: ReactNode }) {
  const { id, label, onClose, children } = props
  useLayer(onClose)
  return (
    // Takes the focus when a click lands between the boxes. Otherwise the focus would leave the list, which would
    // close it.
    <fieldset id={id} tabIndex={-1}>
      <legend className="unseen">{label}</legend>
      {children}
    </fieldset>
  )
}
