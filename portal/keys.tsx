import { useNavigate } from '@tanstack/react-router'
import { Fragment, useEffect, useRef, useState } from 'react'
import { Checkbox } from './ui/choices.tsx'
import { CloseAction, Dialog } from './ui/dialog.tsx'

const stored = 'storeferry.keys'
/** How long the second of two keys may take. */
const pairMs = 1_500

/** The dialog that is on top of the screen. */
export function openLayer(): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>('dialog[open]')].at(-1)
}

/** Whether a key may be one of the portal: the person is not typing, and has not switched them off. */
export function isPortalKey({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || localStorage.getItem(stored) === 'off') return false
  return !(target instanceof HTMLElement && target.closest('input, textarea, select'))
}

export interface Place {
  key: string
  label: string
  to: string
}

/** The keys of every screen, and what lists them. */
export function Keys({ places }: { places: Place[] }) {
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const begunAt = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isPortalKey(event) || openLayer()) return
      const place = event.timeStamp - begunAt.current < pairMs && places.find(({ key }) => key === event.key)
      begunAt.current = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY
      const search = document.querySelector<HTMLElement>('main input[type=search]')
      if (place) navigate({ to: place.to })
      else if (event.key === '?') setOpen(true)
      else if (event.key === '/' && search) search.focus()
      else return
      event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [navigate, places])
  return (
    <>
      <button type="button" className="link-button keys-link" onClick={() => setOpen(true)}>
        Keyboard shortcuts
      </button>
      {isOpen && <KeysDialog places={places} onClose={() => setOpen(false)} />}
    </>
  )
}

function KeysDialog({ places, onClose }: { places: Place[]; onClose: () => void }) {
  const [isOn, setOn] = useState(() => localStorage.getItem(stored) !== 'off')
  function change(next: boolean) {
    localStorage.setItem(stored, next ? 'on' : 'off')
    setOn(next)
  }
  const keys = [
    { keys: ['/'], words: 'Search on this screen' },
    ...places.map(({ key, label }) => ({ keys: ['g', key], words: label })),
    { keys: ['j', 'k'], words: 'Next and previous issue' },
    { keys: ['r', 'a'], words: 'Try the issue again, accept it as is' },
    { keys: ['?'], words: 'This list' },
    { keys: ['Esc'], words: 'Close what is open' },
  ]
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="facts keys">
        {keys.map(({ keys: [first, second], words }) => (
          <Fragment key={words}>
            <dt>
              <kbd>{first}</kbd> {second !== undefined && <kbd>{second}</kbd>}
            </dt>
            <dd>{words}</dd>
          </Fragment>
        ))}
      </dl>
      <Checkbox label="Use them in this browser" isChecked={isOn} onChange={change} />
      <CloseAction />
    </Dialog>
  )
}
