/** The address of the script; undefined in a page that was saved. */
const ownServer = /^https?:/.test(import.meta.url)
  ? new URL(/* @vite-ignore */ '..', import.meta.url).href
  : undefined

/** The service that the element asks. */
export const serverOf = (element: Element): string | undefined => {
  const given = element.getAttribute('server') ?? ownServer
  if (given === undefined || given === '') return undefined
  return new URL(given.endsWith('/') ? given : `${given}/`, document.baseURI).href
}

export type Address = { readonly code: string | undefined; readonly hash: string | undefined }

/** The code or the hash that the element looks up; that of a page may be in its fragment. */
export const addressOf = (element: Element, isPage: boolean): Address => {
  const code = element.getAttribute('code') ?? undefined
  const fragment = isPage ? location.hash.slice(1) : ''
  const hash = (element.getAttribute('hash') ?? fragment).toLowerCase()
  return { code, hash: code !== undefined || hash === '' ? undefined : hash }
}
