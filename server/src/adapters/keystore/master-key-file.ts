import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Secret } from '../../lib/secret.ts'
import { type MasterKeys, masterKeyId } from './local.ts'

const nameOf = (dataDir: string): string => join(dataDir, 'master.key')

/** Creates the key file at the first start, readable by its owner only. Two processes may do so at once. */
export const ensureMasterKeyFile = (dataDir: string): MasterKeyFile => {
  const file = nameOf(dataDir)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const fresh = writeBeside(file, [newKey()])
  try {
    linkSync(fresh, file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(fresh)
  }
  chmodSync(file, 0o600)
  return openMasterKeyFile(file)
}

export type MasterKeyFile = {
  /** Reads the file again if it has changed: another process may rotate the keys. */
  read(): MasterKeys
  /** Creates the key that encrypts from now on, or continues an unfinished rotation. The old key still decrypts. */
  begin(): void
  /** Moves each key that only decrypts to a file of its own in the same folder; returns the file names. */
  retire(): string[]
}

/** One key per line, in base64. The first one encrypts, all of them decrypt. */
const openMasterKeyFile = (file: string): MasterKeyFile => {
  let known = readKeys(file)
  const read = (): MasterKeys => {
    // Checking the file takes microseconds, so a rotation takes effect at the next use.
    const stamp = stampOf(file)
    if (stamp !== undefined && stamp !== known.stamp) known = readKeys(file)
    return known.keys
  }
  const replace = (keys: readonly Secret<Buffer>[]): void => {
    const fresh = writeBeside(file, keys)
    keepOwner(file, fresh)
    renameSync(fresh, file)
    flushFolder(file)
  }
  return {
    read,
    begin() {
      const { current, others } = read()
      if (others.length === 0) replace([newKey(), current])
    },
    retire() {
      const { current, others } = read()
      const names = others.map((key) => {
        const name = `${file}.${masterKeyId(key).toString('hex')}`
        const fresh = writeBeside(file, [key])
        keepOwner(file, fresh)
        renameSync(fresh, name)
        return name
      })
      replace([current])
      return names
    },
  }
}

const newKey = (): Secret<Buffer> => new Secret(randomBytes(32))

const readKeys = (file: string): { readonly keys: MasterKeys; readonly stamp: string | undefined } => {
  const stamp = stampOf(file)
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const [current, ...others] = lines.map((line) => new Secret(Buffer.from(line.trim(), 'base64')))
  if (current === undefined || [current, ...others].some((key) => key.reveal().length !== 32)) {
    throw new Error(`${file} must contain one key of 32 bytes in base64 per line`)
  }
  return { keys: { current, others }, stamp }
}

/** Undefined if the file is missing: the known keys stay valid. */
const stampOf = (file: string): string | undefined => {
  const found = statSync(file, { throwIfNoEntry: false })
  return found && `${found.ino}/${found.mtimeMs}/${found.size}`
}

/** Writes a complete file to disk, to be renamed afterwards. */
const writeBeside = (file: string, keys: readonly Secret<Buffer>[]): string => {
  const fresh = `${file}.${process.pid}.new`
  const lines = keys.map((key) => `${key.reveal().toString('base64')}\n`)
  writeFileSync(fresh, lines.join(''), { mode: 0o600, flush: true })
  return fresh
}

/** A command may run as root, while the server runs as another user. */
const keepOwner = (of: string, to: string): void => {
  const { uid, gid } = statSync(of)
  if (process.getuid?.() === 0) chownSync(to, uid, gid)
}

const flushFolder = (file: string): void => {
  const folder = openSync(join(file, '..'), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
