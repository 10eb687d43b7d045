/**
 * All that a process of ours gets of the environment, which may hold secrets (S20). With Node's compile cache it starts
 * in half the time.
 */
export const childEnvironment: Readonly<Record<string, string>> = {
  TZ: 'UTC',
  ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
}
