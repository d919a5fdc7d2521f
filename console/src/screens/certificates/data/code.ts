const codeBytes = 16

/** The short code of the printed address: the first 16 bytes of the hash in base64url. */
export const codeOf = (hashHex: string): string => {
  const bytes = Uint8Array.from({ length: codeBytes }, (_, index) =>
    Number.parseInt(hashHex.slice(index * 2, index * 2 + 2), 16),
  )
  return btoa(String.fromCodePoint(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}

export const verifyAddressOf = (hashHex: string): string => `${location.origin}/v/${codeOf(hashHex)}`
