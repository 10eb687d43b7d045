import { createContext, type ReactNode, useContext, useId } from 'react'

/** Reasons that the screen gives in one place, with the ids of the elements that say them. */
const Given = createContext<ReadonlyMap<string, string>>(new Map())

/** For what is said elsewhere on the screen: controls below refer to it instead of saying it again. */
export const GivenReasons = Given.Provider

interface Whys {
  /** The id of the element that says a reason; undefined without a reason. */
  idOf: (reason: string | undefined) => string | undefined
  /** The reasons that nothing around says yet, each once, with the ids that they are to have. */
  own: { reason: string; id: string }[]
  /** The same as paragraphs. */
  notes: ReactNode
  /** Those given around and these, for `GivenReasons`. */
  all: ReadonlyMap<string, string>
}

/** Why some controls are off: several with the same reason share one sentence. */
export function useWhys(reasons: readonly (string | undefined)[]): Whys {
  const given = useContext(Given)
  const id = useId()
  const own = [...new Set(reasons)]
    .filter((reason) => reason !== undefined)
    .filter((reason) => !given.has(reason))
    .map((reason, at) => ({ reason, id: `${id}-${at}` }))
  const all = new Map([...given, ...own.map((one) => [one.reason, one.id] as const)])
  return {
    idOf: (reason) => (reason === undefined ? undefined : all.get(reason)),
    own,
    notes: own.map((one) => (
      <p key={one.id} id={one.id} className="why">
        {one.reason}
      </p>
    )),
    all,
  }
}

/** Says above a list why controls in its rows are off. Each control still refers to it, for screen readers. */
export function SayOnce({ reasons, children }: { reasons: readonly (string | undefined)[]; children: ReactNode }) {
  const { notes, all } = useWhys(reasons)
  return (
    <GivenReasons value={all}>
      {notes}
      {children}
    </GivenReasons>
  )
}

const none: ReadonlyMap<string, string> = new Map()

/** For a layer above the screen, which covers what the screen says. */
export function SayAnew({ children }: { children: ReactNode }) {
  return <GivenReasons value={none}>{children}</GivenReasons>
}

interface NamedProps {
  own: Whys['own']
  /** Why each control is off, by its words. */
  off: ReadonlyMap<string, string | undefined>
}

/** Reasons below several controls, each with the controls that it is about, unless it is about all of them. */
export function NamedReasons({ own, off }: NamedProps) {
  if (own.length === 0) return null
  return (
    <ul className="reasons">
      {own.map(({ reason, id }) => {
        const names = [...off].filter(([, why]) => why === reason).map(([name]) => name)
        return (
          <li key={id} id={id}>
            {names.length < off.size && `${names.join(', ')}: `}
            {reason}
          </li>
        )
      })}
    </ul>
  )
}
