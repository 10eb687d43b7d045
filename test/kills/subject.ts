/**
 * A component that creates with calls of its own, and its calls as the destination receives them. Paths are regular expressions.
 */
export interface Subject {
  component: string
  pass: string
  write: { method: 'POST' | 'PUT'; path: string }
  /** An earlier phase makes such calls, too. */
  alsoEarlier?: boolean
  /** A call before the first write; slowed down, it leaves time to prepare the test. */
  before: { method: 'GET' | 'POST'; path: string }
  /** A call that looks for items whose answer was lost. */
  probe: { path: string; query: RegExp }
}

/** A component with a list of its own, which is read for the item of an unanswered call. */
export function listSubject(
  component: string,
  path: string,
  write: Subject['write'] = { method: 'POST', path },
): Subject {
  return { component, pass: component, write, before: { method: 'GET', path }, probe: { path, query: /limit/ } }
}

export function metafieldSubject(kind: string, what: string, probe: string): Subject {
  const all = `^/v3/catalog/${what}/metafields$`
  return {
    component: `${kind}-metafields`,
    pass: `${kind}-metafields`,
    write: { method: 'POST', path: all },
    before: { method: 'GET', path: all },
    probe: { path: probe, query: /limit/ },
  }
}
