import type { KoaContextWithOIDC, Provider } from 'oidc-provider'

type Middleware = (ctx: KoaContextWithOIDC, next: () => Promise<void>) => Promise<void>

/**
 * Every authorization begins without a session, so that every one asks for the password: a sign-in is proof of presence,
 * which step-up relies on, and signing out of the console leaves nothing behind that signs in again.
 */
export const startWithoutSession =
  (provider: Provider): Middleware =>
  async (ctx, next) => {
    if (ctx.path === '/auth') forget(ctx, provider.cookieName('session'))
    await next()
  }

/** The provider's session serves one authorization: consent may follow the password in it, nothing else. */
export const endWithSignIn =
  (provider: Provider, callback: string): Middleware =>
  async (ctx, next) => {
    await next()
    if (!headerOf(ctx, 'location').some((location) => location.startsWith(`${callback}?`))) return
    const name = provider.cookieName('session')
    const others = headerOf(ctx, 'set-cookie').filter((cookie) => !isNamed(cookie, name))
    const secure = new URL(provider.issuer).protocol === 'https:' ? '; secure' : ''
    const gone = [name, `${name}.sig`].map(
      (each) => `${each}=; path=/; max-age=0; samesite=lax${secure}; httponly`,
    )
    ctx.set('set-cookie', [...others, ...gone])
  }

const headerOf = (ctx: KoaContextWithOIDC, name: string): string[] =>
  [ctx.res.getHeader(name) ?? []].flat().map(String)

const isNamed = (cookie: string, name: string): boolean =>
  cookie.startsWith(`${name}=`) || cookie.startsWith(`${name}.sig=`)

const forget = (ctx: KoaContextWithOIDC, name: string): void => {
  const kept = (ctx.req.headers.cookie ?? '').split(/; */).filter((cookie) => !isNamed(cookie, name))
  ctx.req.headers.cookie = kept.join('; ')
}
