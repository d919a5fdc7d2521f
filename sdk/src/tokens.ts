import type { Send } from './send.ts'

export type Credentials = { readonly clientId: string; readonly clientSecret: string }

/** A token is renewed if it expires in less than this. */
const renewalMs = 60_000

type Token = { readonly text: string; readonly expiresAt: number }

/**
 * Adds the token of an application to each call. Gets a token for the first call, before the current one expires, and once
 * more if the service rejects the token, which happens before the call has any effect.
 */
export const sendWithToken = (send: Send, fetchToken: () => Promise<string>): Send => {
  let current: Promise<Token> | undefined
  const renew = (): Promise<Token> => {
    const fetched = fetchToken().then((text) => ({ text, expiresAt: expiryOf(text) }))
    current = fetched
    fetched.catch(() => {
      if (current === fetched) current = undefined
    })
    return fetched
  }
  const usable = async (refused?: string): Promise<string> => {
    const token = await (current ?? renew())
    const isUnusable = token.text === refused || token.expiresAt - Date.now() < renewalMs
    // A parallel call may have started the renewal: all calls wait for the same one.
    if (isUnusable && (await current) === token) current = undefined
    return isUnusable ? (await (current ?? renew())).text : token.text
  }
  return async (request, call) => {
    if (!call.needsToken || request.headers.has('authorization')) return await send(request, call)
    const token = await usable()
    const response = await send(withToken(request, token), call)
    if (response.status !== 401) return response
    const other = await usable(token)
    if (other === token) return response
    await response.body?.cancel()
    return await send(withToken(request, other), call)
  }
}

const withToken = (request: Request, token: string): Request => {
  const sent = request.clone()
  sent.headers.set('authorization', `Bearer ${token}`)
  return sent
}

/** A token without an expiry is used until the service rejects it. */
const expiryOf = (token: string): number => {
  try {
    const claims: unknown = JSON.parse(
      atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')),
    )
    const isRecord = typeof claims === 'object' && claims !== null && 'exp' in claims
    return isRecord && typeof claims.exp === 'number' ? claims.exp * 1_000 : Number.POSITIVE_INFINITY
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
