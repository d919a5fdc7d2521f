/** Undefined if the answer has more bytes than that; what is still to come is then cancelled. */
export const readBounded = async (response: Response, maxBytes: number): Promise<Buffer | undefined> => {
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop cancels the rest.
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Of the cause of what fetch throws, such as ECONNREFUSED. */
export const fetchCodeOf = (error: unknown): string | undefined => {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined
}

export const fetchReasonOf = (error: unknown): string =>
  fetchCodeOf(error) ?? (error instanceof Error ? error.message : String(error))
