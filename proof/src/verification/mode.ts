export type Mode = 'test' | 'live'

/** From the name of the log: a test log does not describe real material. */
export const modeOf = (origin: string): Mode | undefined => {
  const [, mode] = /\/ledger\/(test|live)(?:\/\d+)?$/.exec(origin) ?? []
  return mode === 'test' || mode === 'live' ? mode : undefined
}
