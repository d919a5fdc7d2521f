import { hashesOf, nodesOf, tilePath, tileWidth, type TileNodes, type TilePlace } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'

/** The log did not answer. Says nothing about its content: try again later. */
export class LogUnreachable extends Error {
  override readonly name = 'LogUnreachable'
}

/** The log answered with something that no log of this format contains. */
export class LogMalformed extends Error {
  override readonly name = 'LogMalformed'
}

/** A transparency log behind HTTP: c2sp.org/tlog-tiles. Everything that it returns must be verified. */
export type HttpLog = {
  readonly url: string
  readCheckpoint(): Promise<string>
  readTile(place: TilePlace): Promise<TileNodes>
  /** The key that the log names itself, as Millseal serves it. */
  readKey(): Promise<string>
  /** Any file of the log; undefined if it does not serve it. */
  readFile(path: string): Promise<Uint8Array | undefined>
}

const hashBytes = 32
const maxTextBytes = 65_536
/** 256 entries of 65,535 bytes, each after its length. */
const maxFileBytes = 256 * (65_535 + 2)
const usualDeadlineMs = 30_000

export const openHttpLog = (
  url: string,
  {
    signal,
    deadlineMs = usualDeadlineMs,
  }: { readonly signal?: AbortSignal; readonly deadlineMs?: number } = {},
): HttpLog => {
  const base = url.replace(/\/+$/, '')
  const get = (path: string, maxBytes: number): Promise<Uint8Array | undefined> => {
    const timeout = AbortSignal.timeout(deadlineMs)
    return fetchBounded(`${base}/${path}`, {
      maxBytes,
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    })
  }
  const readText = async (path: string): Promise<string> => {
    const bytes = await get(path, maxTextBytes)
    if (bytes === undefined) throw new LogUnreachable(`${base}/${path} does not exist (status 404)`)
    return new TextDecoder().decode(bytes)
  }
  const readHashes = async (place: TilePlace): Promise<Uint8Array | undefined> => {
    const bytes = await get(tilePath(place), place.width * hashBytes)
    if (bytes !== undefined && bytes.length !== place.width * hashBytes)
      throw new LogMalformed(
        `${tilePath(place)} has ${bytes.length} bytes instead of ${place.width * hashBytes}`,
      )
    return bytes
  }
  return {
    url: base,
    readCheckpoint: () => readText('checkpoint'),
    readFile: (path) => get(path, maxFileBytes),
    readKey: async () => (await readText('vkey')).trim(),
    async readTile(place) {
      // A log may delete a partial tile once the full one exists.
      const bytes =
        (await readHashes(place)) ??
        (place.width === tileWidth ? undefined : await readHashes({ ...place, width: tileWidth }))
      if (bytes === undefined)
        throw new LogUnreachable(`${base}/${tilePath(place)} does not exist (status 404)`)
      return nodesOf(hashesOf(bytes), nodePrimitives)
    },
  }
}

/** Undefined if there is no such file. Reads no more than `maxBytes`. */
const fetchBounded = async (
  url: string,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<Uint8Array | undefined> => {
  const response = await fetch(url, { signal }).catch((error: unknown) => {
    throw unreachable(url, error)
  })
  if (!response.ok) {
    await response.body?.cancel()
    if (response.status === 404) return undefined
    throw new LogUnreachable(`${url} answered with status ${response.status}`)
  }
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of response.body ?? []) {
      length += chunk.length
      if (length > maxBytes) throw new LogMalformed(`${url} is too large (maximum ${maxBytes} bytes)`)
      chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof LogMalformed ? error : unreachable(url, error)
  }
  return Buffer.concat(chunks)
}

const unreachable = (url: string, error: unknown): LogUnreachable => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const reason = cause instanceof Error ? cause.message || String(Reflect.get(cause, 'code')) : String(cause)
  return new LogUnreachable(`${url} cannot be reached: ${reason}`, { cause: error })
}
