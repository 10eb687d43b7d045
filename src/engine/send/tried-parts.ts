import type { Draft } from '../../entities/core/draft.ts'
import { componentOf } from '../../entities/registry.ts'
import type { CreateRequest, Refusal } from './writes.ts'

/** Parts of items that the platform may refuse along with their owners, such as answers to form fields. */
interface TriedPart {
  component: string
  /** The fields that it answers. */
  names: string[]
}

/** Which of them the platform has accepted and refused so far. */
export class TriedParts {
  private readonly known = new Map<string, 'accepted' | 'refused'>()

  /** Calls that share one of these go one after the other, so that only the first is refused. */
  unknownIn(requests: CreateRequest[]): string[] {
    return partsOf(requests)
      .flatMap(keysOf)
      .filter((key) => !this.known.has(key))
  }

  /** The requests without what was refused before; it is written separately. */
  withoutRefused(requests: CreateRequest[]): CreateRequest[] {
    if (this.known.size === 0) return requests
    return requests.map((one) => leaving(one, (part) => keysOf(part).some((key) => this.known.get(key) === 'refused')))
  }

  /** They were not why a call was refused. */
  accept(requests: CreateRequest[]): void {
    for (const key of this.unknownIn(requests)) this.known.set(key, 'accepted')
  }

  /** What the refusal names; if it names nothing, everything. */
  refuse(requests: CreateRequest[], refusal: Refusal): void {
    const named = namedIn(requests, refusal)
    const refused = named.length > 0 ? named : partsOf(requests)
    for (const key of refused.flatMap(keysOf)) this.known.set(key, 'refused')
  }
}

export function withoutTriedParts(request: CreateRequest): CreateRequest {
  return leaving(request, () => true)
}

/**
 * Whether such a part may be why the call was refused. Of several items any may be the reason, so the refusal has to name
 * the part.
 */
export function maySuspectParts(requests: CreateRequest[], refusal: Refusal): boolean {
  return (requests.length === 1 ? partsOf(requests) : namedIn(requests, refusal)).length > 0
}

function namedIn(requests: CreateRequest[], { title, errors }: Refusal): TriedPart[] {
  const said = [title, ...Object.entries(errors).flat()].join('\n')
  const named = partsOf(requests).map((part) => ({ ...part, names: part.names.filter((name) => said.includes(name)) }))
  return named.filter(({ names }) => names.length > 0)
}

function partsOf(requests: CreateRequest[]): TriedPart[] {
  return requests.flatMap(({ draft }) => triedParts(draft))
}

function triedParts({ children }: Draft): TriedPart[] {
  return children.filter(({ inline }) => inline).flatMap((child) => partOf(child) ?? triedParts(child))
}

function partOf(child: Draft): TriedPart | undefined {
  const names = componentOf(child.component).triedInline?.(child)
  return names && { component: child.component, names }
}

function keysOf({ component, names }: TriedPart): string[] {
  return names.map((name) => `${component}/${name}`)
}

function leaving(request: CreateRequest, isLeftOut: (part: TriedPart) => boolean): CreateRequest {
  return { ...request, draft: draftLeaving(request.draft, isLeftOut) }
}

function draftLeaving(draft: Draft, isLeftOut: (part: TriedPart) => boolean): Draft {
  const children = draft.children.map((child) => {
    const part = child.inline ? partOf(child) : undefined
    return part && isLeftOut(part) ? { ...child, inline: false } : draftLeaving(child, isLeftOut)
  })
  return { ...draft, children }
}
