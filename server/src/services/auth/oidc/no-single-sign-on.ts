import type { KoaContextWithOIDC, Provider } from 'oidc-provider'

type Middleware = (ctx: KoaContextWithOIDC, next: () => Promise<void>) => Promise<void>

/**
 * Makes every authorization begin without a session and so ask for the password: step-up relies on a sign-in as proof of
 * presence, and after signing out of the console no session may remain that signs in again.
 */
export const startWithoutSession =
  (provider: Provider): Middleware =>
  async (ctx, next) => {
    if (ctx.path === '/auth') dropCookie(ctx, provider.cookieName('session'))
    await next()
  }

/** Ends the provider's session with its authorization. Only consent may follow the password within it. */
export const endWithSignIn =
  (provider: Provider, callback: string): Middleware =>
  async (ctx, next) => {
    await next()
    if (!headerOf(ctx, 'location').some((location) => location.startsWith(`${callback}?`))) return
    const name = provider.cookieName('session')
    const others = headerOf(ctx, 'set-cookie').filter((cookie) => !isNamed(cookie, name))
    const secure = new URL(provider.issuer).protocol === 'https:' ? '; secure' : ''
    const cleared = [name, `${name}.sig`].map(
      (each) => `${each}=; path=/; max-age=0; samesite=lax${secure}; httponly`,
    )
    ctx.set('set-cookie', [...others, ...cleared])
  }

const headerOf = (ctx: KoaContextWithOIDC, name: string): string[] =>
  [ctx.res.getHeader(name) ?? []].flat().map(String)

const isNamed = (cookie: string, name: string): boolean =>
  cookie.startsWith(`${name}=`) || cookie.startsWith(`${name}.sig=`)

const dropCookie = (ctx: KoaContextWithOIDC, name: string): void => {
  const kept = (ctx.req.headers.cookie ?? '').split(/; */).filter((cookie) => !isNamed(cookie, name))
  ctx.req.headers.cookie = kept.join('; ')
}
