import { QuoteType, Tokenizer } from 'htmlparser2'

/** One attribute of a tag, and where each character of its value stands in the text. */
export interface Attribute {
  tag: string
  name: string
  /** With its entities decoded. */
  value: string
  /** Where the value stands, as it is written. */
  start: number
  end: number
  /** Where a character of the value begins in the text; one beyond the last is where the value ends. */
  at(index: number): number
  /** Of the same tag, this one included, by name; the first of two equal names, as browsers read them. */
  beside: ReadonlyMap<string, Attribute>
}

/** Every attribute that has a value, in the order of the text, however broken the markup is. */
export function attributesOf(html: string): Attribute[] {
  const reader = new AttributeReader(html)
  const tokenizer = new Tokenizer({ xmlMode: false, decodeEntities: true }, reader)
  tokenizer.write(html)
  tokenizer.end()
  return reader.found
}

const nothing = () => undefined

class AttributeReader {
  readonly found: Attribute[] = []
  readonly oncdata = nothing
  readonly onclosetag = nothing
  readonly oncomment = nothing
  readonly ondeclaration = nothing
  readonly onend = nothing
  readonly onopentagend = nothing
  readonly onprocessinginstruction = nothing
  readonly onselfclosingtag = nothing
  readonly ontext = nothing
  readonly ontextentity = nothing
  private readonly html: string
  private tag = ''
  private beside = new Map<string, Attribute>()
  private name = ''
  private value = ''
  /** Where each unit of the value begins. */
  private starts: number[] = []
  /** Entities read since the last characters that stand for themselves; where they begin is known with the next ones. */
  private entities: string[] = []
  /** How far the value was read. */
  private read = 0

  constructor(html: string) {
    this.html = html
  }

  onopentagname(start: number, end: number): void {
    this.tag = this.html.slice(start, end).toLowerCase()
    this.beside = new Map()
  }

  onattribname(start: number, end: number): void {
    this.name = this.html.slice(start, end).toLowerCase()
    this.value = ''
    this.starts = []
    this.entities = []
    this.read = valueAfter(this.html, end)
  }

  onattribentity(codepoint: number): void {
    this.entities.push(String.fromCodePoint(codepoint))
  }

  onattribdata(start: number, end: number): void {
    this.placeEntities(start)
    for (let at = start; at < end; at++) this.starts.push(at)
    this.value += this.html.slice(start, end)
    this.read = end
  }

  onattribend(quote: QuoteType): void {
    if (quote === QuoteType.NoValue) return
    const starts = this.starts
    const end = this.read
    const at = (index: number) => starts[index] ?? end
    const beside = this.beside
    const attribute = { tag: this.tag, name: this.name, value: this.value, start: at(0), end, at, beside }
    if (!beside.has(this.name)) beside.set(this.name, attribute)
    this.found.push(attribute)
  }

  /** Each begins with an ampersand; some stand for two characters. */
  private placeEntities(before: number): void {
    const begun = [...this.html.slice(this.read, before).matchAll(/&/g)].map(({ index }) => this.read + index)
    for (const [at, text] of this.entities.entries())
      for (let unit = 0; unit < text.length; unit++) this.starts.push(begun[Math.min(at, begun.length - 1)] ?? before)
    this.value += this.entities.join('')
    this.entities = []
  }
}

/** What stands between the name of an attribute and the first character of its value. */
function valueAfter(html: string, name: number): number {
  beforeValue.lastIndex = name
  return beforeValue.test(html) ? beforeValue.lastIndex : name
}

const beforeValue = /\s*=\s*["']?/y
