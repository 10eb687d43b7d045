import { QuoteType, Tokenizer } from 'htmlparser2'

/** One attribute of a tag, with the position of each character of its value in the text. */
export interface Attribute {
  tag: string
  name: string
  /** With its entities decoded. */
  value: string
  /** Range of the value in the text. */
  start: number
  end: number
  /** Start of a character of the value in the text; the index after the last gives the end of the value. */
  at(index: number): number
  /** All attributes of the tag by name; the first of two with the same name, as in browsers. */
  beside: ReadonlyMap<string, Attribute>
}

/** Every attribute with a value, in document order, even in broken markup. */
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
  /** Start of each UTF-16 unit of the value. */
  private starts: number[] = []
  /**
   * Entities decoded since the last literal characters; their positions are known once the next literal ones arrive.
   */
  private entities: string[] = []
  /** Position up to which the value was read. */
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
    this.appendEntities(start)
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

  /** Each entity begins with an ampersand; some decode to two characters. */
  private appendEntities(before: number): void {
    const begun = [...this.html.slice(this.read, before).matchAll(/&/g)].map(({ index }) => this.read + index)
    for (const [at, text] of this.entities.entries())
      for (let unit = 0; unit < text.length; unit++) this.starts.push(begun[Math.min(at, begun.length - 1)] ?? before)
    this.value += this.entities.join('')
    this.entities = []
  }
}

/** Text between the name of an attribute and the first character of its value. */
function valueAfter(html: string, name: number): number {
  beforeValue.lastIndex = name
  return beforeValue.test(html) ? beforeValue.lastIndex : name
}

const beforeValue = /\s*=\s*["']?/y
