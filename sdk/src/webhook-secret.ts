const prefix = 'whsec_'

/** The bytes that a secret of Standard Webhooks encodes; those of any other secret as they are. */
export const standardKeyOf = (secret: string): Uint8Array =>
  (secret.startsWith(prefix) ? decodeBase64(secret.slice(prefix.length)) : undefined) ??
  new TextEncoder().encode(secret)

export const decodeBase64 = (text: string): Uint8Array | undefined => {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
