/**
 * Loaded into a host before its program: the test process holds the other end of standard input, so a host ends even if its test
 * was killed and ran no tear-down.
 */
process.stdin.once('end', () => process.exit(1))
process.stdin.once('error', () => process.exit(1))
process.stdin.resume()
// A host with nothing left to do exits by itself.
const input: { unref?: () => void } = process.stdin
input.unref?.()
