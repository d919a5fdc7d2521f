import { deflateSync, inflateSync, type ZlibOptions } from 'node:zlib'

/**
 * The object that Node makes for each call lives until V8 collects all of its memory, however short-lived it is, and keeps
 * the buffer of its first output, or the 64 KB that small buffers share. A server that checks pictures or draws PDFs would
 * collect tens of megabytes of them.
 */
type Worked = { readonly buffer: Buffer; readonly engine: object }

const released = ({ buffer, engine }: Worked): Buffer => {
  Object.assign(engine, { _outBuffer: undefined })
  return buffer
}

// The types of Node do not know that the result is another one with `info`.
const withEngine = (work: typeof deflateSync, bytes: Uint8Array, options: ZlibOptions): Worked =>
  work(bytes, { ...options, info: true }) as unknown as Worked

export const compress = (bytes: Uint8Array, options: ZlibOptions): Buffer =>
  released(withEngine(deflateSync, bytes, options))

export const decompress = (bytes: Uint8Array, options: ZlibOptions): Buffer =>
  released(withEngine(inflateSync, bytes, options))
