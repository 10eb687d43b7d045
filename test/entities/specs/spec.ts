import type { Fewest } from '../../../bench/parts/fewest-calls.ts'
import type { Exclusions } from '../../comparison/exclusion-reasons.ts'
import type { TableRules } from '../../comparison/table-rule.ts'
import type { Subject as FaultSubject } from '../../faults/subject.ts'
import type { Truth } from '../../faults/truth.ts'
import type { Subject as KillSubject } from '../../kills/subject.ts'
import type { Story } from './story.ts'

/**
 * What tests have to know about an entity and the registry does not say. A new entity needs a spec; `all-specs.ts` lists them.
 */
export interface EntitySpec {
  /** Its key in the registry. */
  entity: string
  /** Components with exceptions, by key. */
  components?: Readonly<Record<string, ComponentFacts>>
  /** Creating calls that the kill suite interrupts: by component, or by a name of its own where a component has two. */
  kills?: Readonly<Record<string, KillSubject>>
  /** Components without creating calls of their own, and the subject whose call creates them. */
  carriedBy?: Readonly<Record<string, string>>
  faults?: {
    /** Components that the creation of a product carries, and the table with the products that have some. */
    inline?: Readonly<Record<string, string>>
    writes?: readonly FaultSubject[]
    lists?: readonly FaultSubject[]
    /** Lists of single items that no page shows. */
    details?: readonly FaultSubject[]
  }
  /** How the rows of its tables are compared. */
  tables?: readonly TableRules[]
  /** Fields that are not compared, by table. */
  excludedFields?: Exclusions
  /** Fields that are compared but cannot be changed at the destination, by table. */
  notWritable?: Exclusions
  /** Closed lists of the platform: what a field may also say, by table and field. */
  otherValues?: Readonly<Record<string, readonly string[]>>
  /** Values for fields that hold no text when they are null, by table and field. */
  valuesForNull?: Readonly<Record<string, unknown>>
  /** Fields by which verify recognises a child, by table: a changed value is one missing and one extra. */
  identifying?: Readonly<Record<string, readonly string[]>>
  /** Tables in which a second row counts as the first, or whose ids exist once. */
  onlyOnce?: readonly string[]
  /** Its life over several runs: created despite a lost answer, edited, deleted. A story that needs more is in `test/engine`. */
  story?: Story
  /** What no copy of the seed `awkward` can contain. */
  awkward?: Partial<Truth>
  /** The fewest calls of a whole copy; absent where the calls of every run include its own. */
  fewest?: Fewest
}

/** Each fact gives its reason, or the test that covers it instead. */
export interface ComponentFacts {
  /** Verify reports edits of these and `update` leaves them alone, because no list shows them (decision 0006). */
  onlyVerifySees?: string
  /** Exist at the destination before the first copy and are adopted as they are. */
  neverCreated?: string
  /** Copied after the targets of links in their texts, and name nothing by id. */
  onlyLinks?: string
  /** Some of these exist at the destination before the first copy. */
  partlyThere?: string
  /** Edited through the row of another component, whose test covers them. */
  editedElsewhere?: string
  /** A test of its own covers the values that the destination's shop changes. */
  livesElsewhere?: string
  /** A second one beside the first is refused, so another test covers what only the destination has. */
  prunedElsewhere?: string
}
