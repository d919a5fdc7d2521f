const offline =
  'The service cannot be reached. Check your connection to the network, then choose the file again.'

/** Undefined if the service has nothing there. */
export const fetchText = async (path: string): Promise<string | undefined> => {
  const response = await fetch(path).catch((cause: unknown) => {
    throw new Error(offline, { cause })
  })
  if (response.status === 404) return undefined
  if (response.status === 429) throw new Error('Too many attempts. Wait a minute, then try again.')
  if (!response.ok)
    throw new Error(`The service cannot answer now (status ${response.status}). Try again later.`)
  return await response.text().catch((cause: unknown) => {
    throw new Error(offline, { cause })
  })
}
