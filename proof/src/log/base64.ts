import { decodeBase64 } from '../encoding/base64.ts'

/** Undefined for what is not exactly how those bytes are written. */
export const readBase64 = (text: string): Uint8Array | undefined => {
  try {
    return decodeBase64(text)
  } catch {
    return undefined
  }
}
