const maxLength = 1_000

/** The full address to open after signing in, always on this server, so that no spelling leads to another host. */
export const returnAddress = (given: unknown, publicUrl: string): string => {
  const home = new URL('/', publicUrl)
  if (typeof given !== 'string' || given.length > maxLength || !given.startsWith('/')) return home.href
  if (!URL.canParse(given, home.href)) return home.href
  const target = new URL(given, home)
  return target.origin === home.origin ? target.href : home.href
}
