/**
 * Rings of the suite. Tests of the first start nothing but the server that they share in a process; others start servers of
 * their own, browsers or processes. Names of files say them.
 */
export type Ring = 'first' | 'server' | 'process' | 'browser'

export const ringOf = (path: string): Ring =>
  (/\.(browser|process|server)\.test\.\w+$/.exec(path)?.[1] as Ring | undefined) ?? 'first'

/** Neither a browser nor a process: such a test needs no console, and may share a server with others. */
export const isInProcess = (path: string): boolean => ['first', 'server'].includes(ringOf(path))
