const maxLength = 1_000

/** Where the browser goes after signing in: an address of ours, whole, so that no spelling of it leads elsewhere. */
export const returnAddress = (given: unknown, publicUrl: string): string => {
  const home = new URL('/', publicUrl)
  if (typeof given !== 'string' || given.length > maxLength || !given.startsWith('/')) return home.href
  if (!URL.canParse(given, home.href)) return home.href
  const target = new URL(given, home)
  return target.origin === home.origin ? target.href : home.href
}
