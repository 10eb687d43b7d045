/** Safe markup. Only `html` makes one, so a plain string can never pass for markup. */
export class Html {
  readonly markup: string

  constructor(markup: string) {
    this.markup = markup
  }
}

type Part = Html | readonly Html[] | string | number | null | undefined | false

/**
 * A template for markup. Values are escaped unless they are markup themselves; null, undefined and false are left out.
 */
export function html(markup: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(markup.map((piece, at) => (at === 0 ? piece : render(parts[at - 1]) + piece)).join(''))
}

function render(part: Part): string {
  if (part === null || part === undefined || part === false) return ''
  if (part instanceof Html) return part.markup
  if (Array.isArray(part)) return part.map(render).join('')
  return String(part).replace(/[&<>"']/g, (character) => escapes[character] ?? '')
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

interface Page {
  title: string
  problem?: string | undefined
  body: Html
  /** Whether the page is shown inside another site's, where it cannot lead to pages that refuse to be framed. */
  framed?: boolean
}

/** A whole page. A problem is in the title too, because screen readers read that first. */
export function page({ title, problem, body, framed = false }: Page): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${problem === undefined ? '' : 'Problem: '}${title} - Storeferry</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/app/tokens.css">
<link rel="stylesheet" href="/app/pages.css">
</head>
<body>
<header>${framed ? html`<span class="brand">${brand}</span>` : html`<a class="brand" href="/">${brand}</a>`}</header>
<main>
<h1>${title}</h1>
${problem !== undefined && html`<p id="problem" role="alert">${problem}</p>`}
${body}
</main>
<footer>Independent project. BigCommerce is a trademark of BigCommerce Pty. Ltd.</footer>
</body>
</html>
`.markup
}

const brand = html`<img src="/favicon.svg" alt="" width="40" height="40">Storeferry`
