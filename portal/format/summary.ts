/** Three kinds and more, as a summary names them: "60 categories, 40 brands and 998 products". */
const list = /\d[\d,]* [^\d,;.]+(?:, \d[\d,]* [^\d,;.]+)+ and \d[\d,]* [^\d,;.]+/
/** Between them; a number holds commas too. */
const between = /, (?=\d)| and (?=\d)/
const best = /^[\d,]+ (categor(y|ies)|products?|customers?|orders?)$/
const mostNamed = 6

/** The summary of a migration in one breath. A copy of everything has dozens of kinds: the best known are named, the others counted. */
export function briefSummary(sentence: string): string {
  return sentence.replace(list, briefly)
}

function briefly(all: string): string {
  const kinds = all.split(between)
  if (kinds.length <= mostNamed) return all
  const known = kinds.filter((kind) => best.test(kind))
  const named = known.length > 1 ? known : kinds.slice(0, mostNamed - 2)
  return `${named.join(', ')} and ${kinds.length - named.length} more kinds`
}
