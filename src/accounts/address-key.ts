import { isIPv6 } from 'node:net'

/**
 * The key by which failed logins are counted: an IPv4 address, or the /64 of an IPv6 address, because one machine may
 * use any address in its /64 (S5). An IPv4-mapped IPv6 address counts as its IPv4 address.
 */
export function addressKey(address: string): string {
  const bare = address.replace(/%.*$/, '')
  if (!isIPv6(bare)) return bare
  const groups = expand(bare)
  const mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (mapped)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join('.')
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

/**
 * The eight groups of an IPv6 address. The URL parser turns a trailing IPv4 part into groups and shortens one run of
 * zeros.
 */
function expand(address: string): number[] {
  const normal = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = '', tail] = normal.split('::')
  const before = parseGroups(head)
  if (tail === undefined) return before
  const after = parseGroups(tail)
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}

function parseGroups(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
}
