import { X509Certificate } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import type { Certificate } from './listeners.ts'

const monthMs = 30 * 86_400_000

/** The certificate in the folder if it is valid for these names for another month, otherwise a new one. */
export const ensureCertificate = async ({
  folder,
  names,
  now,
}: {
  readonly folder: string
  readonly names: readonly string[]
  readonly now: Date
}): Promise<Certificate> => {
  const path = join(folder, 'mqtt-certificate.pem')
  const found = read(path)
  if (found !== undefined && isValidFor(found.certificate, names, now)) return found
  // Loaded only when needed: the library takes longer to load than the rest of the broker.
  const { makeSelfSigned } = await import('./self-signed.ts')
  const made = makeSelfSigned(names, now)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const unfinished = `${path}.${process.pid}`
  writeFileSync(unfinished, `${made.key}${made.certificate}`, { mode: 0o600, flush: true })
  renameSync(unfinished, path)
  return made
}

const read = (path: string): Certificate | undefined => {
  try {
    const both = readFileSync(path, 'utf8')
    const begins = both.indexOf('-----BEGIN CERTIFICATE-----')
    return begins < 0 ? undefined : { key: both.slice(0, begins), certificate: both.slice(begins) }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

const isValidFor = (pem: string, names: readonly string[], now: Date): boolean => {
  const certificate = new X509Certificate(pem)
  return (
    certificate.validToDate.getTime() - now.getTime() > monthMs &&
    names.every(
      (name) => (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined,
    )
  )
}
