import ts from 'typescript'

/** A piece of a file that is written in one manner: `prose` is read word by word, `names` are taken apart into segments. */
export interface TextPiece {
  kind: 'prose' | 'names'
  text: string
  /** Offset in the file. */
  start: number
}

/** Divides a file into comments, strings and identifiers, or into text and code. Files of other kinds have no pieces. */
export function textPieces(path: string, text: string): TextPiece[] {
  if (path.endsWith('.md')) return markdownPieces(text)
  if (path.endsWith('.sql')) return piecesOf(text, /--.*/g, 'prose')
  return path.endsWith('.ts') ? typescriptPieces(text) : []
}

function typescriptPieces(text: string): TextPiece[] {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, ts.LanguageVariant.Standard, text)
  const pieces: TextPiece[] = []
  const templates: { openBraces: number; isSql: boolean }[] = []
  let previous = ts.SyntaxKind.Unknown

  for (let token = scanner.scan(); token !== ts.SyntaxKind.EndOfFileToken; token = scanner.scan()) {
    const template = templates.at(-1)
    if (isSlash(token) && !endsOperand(previous)) token = scanner.reScanSlashToken()
    if (token === ts.SyntaxKind.OpenBraceToken && template) template.openBraces += 1
    if (token === ts.SyntaxKind.CloseBraceToken && template) {
      if (template.openBraces === 0) token = scanner.reScanTemplateToken(false)
      else template.openBraces -= 1
    }

    const start = scanner.getTokenStart()
    const tokenText = scanner.getTokenText()
    const isSql = isTemplateHead(token) ? isTaggedSql(text, start) : template?.isSql === true
    if (token === ts.SyntaxKind.TemplateHead) templates.push({ openBraces: 0, isSql })
    if (token === ts.SyntaxKind.TemplateTail) templates.pop()

    if (isComment(token)) pieces.push(...proseAndCode(tokenText, start))
    else if (isName(token)) pieces.push({ kind: 'names', text: tokenText, start })
    else if (isString(token)) pieces.push(...stringPieces(tokenText.slice(1, -1), start + 1, isSql))
    if (!isTrivia(token)) previous = token
  }
  return pieces
}

/** Whether the template that begins here is tagged with `sql` or `sql<Row>`. */
function isTaggedSql(text: string, start: number): boolean {
  return /\bsql(<[^`]*>)?$/.test(text.slice(Math.max(0, start - 600), start))
}

/** A string without a space is a key, a path or a kind, and a query is made of names. */
function stringPieces(text: string, start: number, isSql: boolean): TextPiece[] {
  return isSql || !/\s/.test(text) ? [{ kind: 'names', text, start }] : proseAndCode(text, start)
}

/** Fenced blocks and spans of code are names, the rest of a Markdown file is prose. */
function markdownPieces(text: string): TextPiece[] {
  const pieces: TextPiece[] = []
  let end = 0
  for (const fence of text.matchAll(/^ *```[\s\S]*?^ *```/gm)) {
    pieces.push(...proseAndCode(text.slice(end, fence.index), end), {
      kind: 'names',
      text: fence[0],
      start: fence.index,
    })
    end = fence.index + fence[0].length
  }
  return [...pieces, ...proseAndCode(text.slice(end), end)]
}

function proseAndCode(text: string, start: number): TextPiece[] {
  const prose = text.replace(/`[^`\s][^`\n]*`/g, (span) => ' '.repeat(span.length))
  const code = piecesOf(text, /`[^`\s][^`\n]*`/g, 'names')
  return [{ kind: 'prose', text: prose, start }, ...code.map((piece) => ({ ...piece, start: piece.start + start }))]
}

function piecesOf(text: string, pattern: RegExp, kind: TextPiece['kind']): TextPiece[] {
  return [...text.matchAll(pattern)].map((match) => ({ kind, text: match[0], start: match.index }))
}

const isTrivia = (token: ts.SyntaxKind) =>
  token >= ts.SyntaxKind.FirstTriviaToken && token <= ts.SyntaxKind.LastTriviaToken

const isSlash = (token: ts.SyntaxKind) => token === ts.SyntaxKind.SlashToken || token === ts.SyntaxKind.SlashEqualsToken

const isComment = (token: ts.SyntaxKind) =>
  token === ts.SyntaxKind.SingleLineCommentTrivia || token === ts.SyntaxKind.MultiLineCommentTrivia

const isName = (token: ts.SyntaxKind) => token === ts.SyntaxKind.Identifier || token === ts.SyntaxKind.PrivateIdentifier

const isTemplateHead = (token: ts.SyntaxKind) =>
  token === ts.SyntaxKind.TemplateHead || token === ts.SyntaxKind.NoSubstitutionTemplateLiteral

const isString = (token: ts.SyntaxKind) =>
  token === ts.SyntaxKind.StringLiteral ||
  isTemplateHead(token) ||
  token === ts.SyntaxKind.TemplateMiddle ||
  token === ts.SyntaxKind.TemplateTail

/** After an operand a slash divides; anywhere else it begins a regular expression. */
function endsOperand(token: ts.SyntaxKind): boolean {
  return (
    isName(token) ||
    isString(token) ||
    token === ts.SyntaxKind.NumericLiteral ||
    token === ts.SyntaxKind.RegularExpressionLiteral ||
    token === ts.SyntaxKind.CloseParenToken ||
    token === ts.SyntaxKind.CloseBracketToken ||
    token === ts.SyntaxKind.CloseBraceToken ||
    token === ts.SyntaxKind.ThisKeyword
  )
}
