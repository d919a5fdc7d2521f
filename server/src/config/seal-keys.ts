import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { dirname, resolve } from 'node:path'
import { type Mode, modes } from '@millseal/contract/vocabulary'
import { readSealCertificates, type SealCertificates, SealRefused } from '@millseal/proof'
import { type Config, ConfigError } from '../config.ts'
import { readNamedFile } from './named-file.ts'

export type ConfiguredSeal = {
  readonly companyId: string
  readonly mode: Mode
  readonly certificates: SealCertificates
  /** The key itself, or its label in the PKCS#11 token. */
  readonly key: KeyObject | { readonly label: string }
  readonly kind: 'rsa' | 'ec'
}

const setting = 'MILLSEAL_SEALS'
const inToken = 'pkcs11:'
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Empty if nothing is sealed. Throws `ConfigError` if the file cannot be used. */
export const readSealKeys = ({ seals: path, pkcs11Module }: Config): readonly ConfiguredSeal[] => {
  if (path === undefined) return []
  const lines = readNamedFile(setting, path).toString('utf8').split('\n')
  const found = lines.flatMap((line, at) => {
    const text = line.trim()
    if (text === '' || text.startsWith('#')) return []
    return [
      readLine(text, {
        path,
        where: `${setting}: ${path}: line ${at + 1}`,
        hasToken: pkcs11Module !== undefined,
      }),
    ]
  })
  const places = found.map(({ companyId, mode }) => `${companyId} in ${mode} mode`)
  const twice = places.find((place, at) => places.indexOf(place) !== at)
  if (twice !== undefined) throw new ConfigError(`${setting}: ${path}: there are two seals of ${twice}`)
  return found
}

const readLine = (
  line: string,
  { path, where, hasToken }: { readonly path: string; readonly where: string; readonly hasToken: boolean },
): ConfiguredSeal => {
  const [keyword, companyId = '', given = '', key = '', chain = '', ...more] = line.split(/\s+/)
  const mode = modes.find((one) => one === given)
  if (keyword !== 'seal' || chain === '' || more.length > 0 || mode === undefined || !uuid.test(companyId))
    throw new ConfigError(
      `${where}: expected "seal <id of the company> <live or test> <file of the key, or pkcs11:label> <file of its certificates>"`,
    )
  const beside = (file: string): string => resolve(dirname(path), file)
  const certificates = readChain(beside(chain), where)
  const [own] = certificates
  const kind = 'curve' in own.key ? 'ec' : 'rsa'
  const place = { companyId, mode, certificates, kind } as const
  if (key.startsWith(inToken)) {
    if (!hasToken) throw new ConfigError(`${where}: ${inToken} needs MILLSEAL_PKCS11_MODULE`)
    return { ...place, key: { label: key.slice(inToken.length) } }
  }
  return { ...place, key: readKey(beside(key), { certificate: own.bytes, where }) }
}

const pem = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** In PEM: that of the key first, then those of its issuers. */
const readChain = (path: string, where: string): SealCertificates => {
  const blocks = readNamedFile(setting, path).toString('latin1').match(pem) ?? []
  try {
    return readSealCertificates(blocks.map((block) => Uint8Array.from(new X509Certificate(block).raw)))
  } catch (error) {
    const why = error instanceof SealRefused ? error.message : 'it has no certificates in PEM'
    throw new ConfigError(`${where}: the file ${path} cannot be used: ${why}`)
  }
}

const readKey = (
  path: string,
  { certificate, where }: { readonly certificate: Uint8Array; readonly where: string },
): KeyObject => {
  const bytes = readNamedFile(setting, path)
  let key: KeyObject
  try {
    key = createPrivateKey(bytes)
  } catch {
    throw new ConfigError(`${where}: the file ${path} has no private key in PEM without a passphrase`)
  }
  if (!new X509Certificate(certificate).checkPrivateKey(key))
    throw new ConfigError(`${where}: the key in ${path} is not that of the first certificate`)
  return key
}
