/**
 * Loaded into a host before its program: the test process holds the other end of standard input, and a host whose test was
 * killed, which runs no tear-down, ends with it.
 */
process.stdin.once('end', () => process.exit(1))
process.stdin.once('error', () => process.exit(1))
process.stdin.resume()
// A host that has nothing more to do ends by itself.
const input: { unref?: () => void } = process.stdin
input.unref?.()
