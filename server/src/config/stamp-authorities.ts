import { X509Certificate } from 'node:crypto'
import { dirname, resolve } from 'node:path'
import { type Authority, readAuthority, StampRefused } from '@millseal/proof'
import { type Config, ConfigError } from '../config.ts'
import { readNamedFile } from './named-file.ts'

export type NamedAuthority = { readonly authority: Authority; readonly url: string }

const setting = 'MILLSEAL_STAMPS'
const maxAuthorities = 8

/** Empty if nobody stamps the log. Throws `ConfigError` if the file cannot be used. */
export const readStampAuthorities = ({ stamps: path }: Config): readonly NamedAuthority[] => {
  if (path === undefined) return []
  const lines = readNamedFile(setting, path).toString('utf8').split('\n')
  const found = lines.flatMap((line, at) => {
    const text = line.trim()
    return text === '' || text.startsWith('#') ? [] : [readLine(text, { path, number: at + 1 })]
  })
  const names = found.map(({ authority }) => authority.name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined)
    throw new ConfigError(`${setting}: ${path}: two authorities have the name ${twice}`)
  if (found.length === 0 || found.length > maxAuthorities)
    throw new ConfigError(
      `${setting}: ${path}: names ${found.length} authorities; allowed are 1 to ${maxAuthorities}`,
    )
  return found
}

const readLine = (
  line: string,
  { path, number }: { readonly path: string; readonly number: number },
): NamedAuthority => {
  const where = `${setting}: ${path}: line ${number}`
  const [keyword, name = '', url = '', root = '', ...more] = line.split(/\s+/)
  if (keyword !== 'authority' || root === '' || more.length > 0)
    throw new ConfigError(`${where}: expected "authority <name> <address> <file of its root certificate>"`)
  const { protocol, username, password } = URL.canParse(url) ? new URL(url) : {}
  if ((protocol !== 'https:' && protocol !== 'http:') || username !== '' || password !== '')
    throw new ConfigError(
      `${where}: the address must begin with https:// or http://, without user and password`,
    )
  return { authority: readRoot(resolve(dirname(path), root), { name, where }), url }
}

const readRoot = (
  path: string,
  { name, where }: { readonly name: string; readonly where: string },
): Authority => {
  const bytes = readNamedFile(setting, path)
  try {
    return readAuthority(name, Uint8Array.from(new X509Certificate(bytes).raw))
  } catch (error) {
    const why = error instanceof StampRefused ? error.message : 'it is not a certificate in PEM or DER'
    throw new ConfigError(`${where}: the file ${path} cannot be used: ${why}`)
  }
}
