import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { decryptStream, encryptStream, NotDecryptable } from '../lib/encrypted-stream.ts'
import { Secret } from '../lib/secret.ts'
import { systemClock } from '../ports/clock/clock.ts'
import { type BackedUpFile, manifestName } from './backup-files.ts'

export type OnProgress = (what: string) => void

const fewestCharacters = 16
const progressMs = 2_000

/** The first line of the file. */
export const readKeyFile = async (path: string): Promise<Secret> => {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new Error(`The key file ${path} cannot be read`, { cause })
  })
  const key = text.split('\n', 1)[0]?.trim() ?? ''
  if (key.length < fewestCharacters)
    throw new Error(
      `The first line of ${path} must have at least ${fewestCharacters} characters: openssl rand -base64 32`,
    )
  return new Secret(key)
}

/** Calls it at most every two seconds. */
export const throttled = (onProgress: OnProgress): OnProgress => {
  let lastMs = systemClock.now()
  return (what) => {
    if (systemClock.now() - lastMs < progressMs) return
    lastMs = systemClock.now()
    onProgress(what)
  }
}

type Encryption = {
  readonly folder: string
  readonly files: readonly BackedUpFile[]
  readonly key: Secret
  readonly onProgress: OnProgress
}

/** Writes one file with all files of a backup. */
export const encryptBackup = async (
  target: string,
  { folder, files, key, onProgress }: Encryption,
): Promise<void> => {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
  const report = throttled(onProgress)
  const content = async function* (): AsyncGenerator<Buffer> {
    let done = 0
    for (const { path } of [...files, { path: manifestName }]) {
      await using file = await open(join(folder, path))
      const { size: bytes } = await file.stat()
      yield Buffer.from(`${JSON.stringify({ path, bytes })}\n`)
      for await (const part of file.createReadStream({ autoClose: false })) {
        done += (part as Buffer).length
        report(`encrypted files: ${Math.floor((100 * done) / Math.max(total, done))} %`)
        yield part as Buffer
      }
    }
  }
  const file = createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true })
  await pipeline(Readable.from(encryptStream(content(), key)), file)
}

/** Fills a new folder, which the caller removes. */
export const decryptBackup = async (
  source: string,
  { folder, key, onProgress }: Omit<Encryption, 'files'>,
): Promise<void> => {
  const report = throttled(onProgress)
  let written = 0
  try {
    const content = readerOf(decryptStream(createReadStream(source), key))
    for (let line = await content.line(); line !== undefined; line = await content.line()) {
      const { path, bytes } = JSON.parse(line) as { path: string; bytes: number }
      const target = join(folder, path)
      if (!target.startsWith(`${folder}/`)) throw new NotDecryptable('names files outside of it')
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      const file = createWriteStream(target, { flags: 'wx', mode: 0o600 })
      await pipeline(Readable.from(content.bytes(bytes)), file)
      written += bytes
      report(`decrypted ${Math.floor(written / 2 ** 20)} MiB`)
    }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    if (error instanceof NotDecryptable) throw new Error(`${source} ${error.message}`, { cause: error })
    throw error
  }
}

const readerOf = (source: AsyncIterator<Buffer>) => {
  let waiting: Buffer = Buffer.alloc(0)
  const more = async (): Promise<boolean> => {
    const next = await source.next()
    if (next.done === true) return false
    waiting = Buffer.concat([waiting, next.value])
    return true
  }
  return {
    /** Undefined at the end. */
    async line(): Promise<string | undefined> {
      while (!waiting.includes(10)) if (!(await more())) return undefined
      const end = waiting.indexOf(10)
      const text = waiting.toString('utf8', 0, end)
      waiting = waiting.subarray(end + 1)
      return text
    },
    async *bytes(count: number): AsyncGenerator<Buffer> {
      for (let left = count; left > 0; ) {
        if (waiting.length === 0 && !(await more())) throw new NotDecryptable('ends too early')
        const part = waiting.subarray(0, left)
        waiting = waiting.subarray(part.length)
        left -= part.length
        yield part
      }
    },
  }
}
