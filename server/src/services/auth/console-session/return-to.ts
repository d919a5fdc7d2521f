import { paths } from '../../../http/pages/links.ts'

const maxLength = 1_000

/**
 * The full address to open after signing in, always on this server, so that no spelling leads to another host. Without
 * one it is the console, not the home page: when another site redirects the browser, the cookie of the new session is not
 * sent with the first request, and only the console then asks for the session by itself.
 */
export const returnAddress = (given: unknown, publicUrl: string): string => {
  const home = new URL(paths.console, publicUrl)
  if (typeof given !== 'string' || given.length > maxLength || !given.startsWith('/')) return home.href
  if (!URL.canParse(given, home.href)) return home.href
  const target = new URL(given, home)
  return target.origin === home.origin ? target.href : home.href
}
