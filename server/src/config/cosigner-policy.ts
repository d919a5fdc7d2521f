import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { type CosignerKey, parseTlogPolicy, type TlogPolicy, TlogPolicyUnreadable } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { type Config, ConfigError } from '../config.ts'

export type CosignerPolicy = {
  readonly policy: TlogPolicy
  readonly witnesses: readonly { readonly name: string; readonly key: CosignerKey; readonly url: string }[]
}

/** The addresses of the nodes that the page for verifying may ask. Throws `ConfigError` for a name that is not in the policy. */
export const readVerifyNodes = (config: Config): readonly string[] => {
  const { witnesses = [] } = readCosignerPolicy(config) ?? {}
  return config.verifyNodes.map((name) => {
    const { url } = witnesses.find((one) => one.name === name) ?? {}
    if (url === undefined)
      throw new ConfigError(`MILLSEAL_VERIFY_NODES: ${name} is not a witness in the file of ${setting}`)
    return new URL(url).href.replace(/\/+$/, '')
  })
}

const setting = 'MILLSEAL_COSIGNERS'

/** Undefined if the log has no cosigners. Throws `ConfigError` if the file cannot be used. */
export const readCosignerPolicy = ({ cosigners: path }: Config): CosignerPolicy | undefined => {
  if (path === undefined) return undefined
  const policy = readPolicy(path)
  if (policy.quorum === undefined)
    throw new ConfigError(`${setting}: ${path}: "quorum none" would confirm nothing`)
  return { policy, witnesses: policy.witnesses.map((one) => ({ ...one, url: addressOf(path, one) })) }
}

const readPolicy = (path: string): TlogPolicy => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path))
    return parseTlogPolicy(text, nodePrimitives)
  } catch (error) {
    if (error instanceof TlogPolicyUnreadable) throw new ConfigError(`${setting}: ${path}: ${error.message}`)
    const why = error instanceof Error && 'syscall' in error ? Reflect.get(error, 'code') : 'it is not UTF-8'
    throw new ConfigError(`${setting}: the file ${path} cannot be read (${String(why)})`)
  }
}

/** What a cosigner refuses stops the log, so that nobody on the way may answer in its place. */
const addressOf = (path: string, { name, url }: TlogPolicy['witnesses'][number]): string => {
  if (url === undefined)
    throw new ConfigError(
      `${setting}: ${path}: the witness ${name} needs an address to which checkpoints are sent`,
    )
  const { protocol, hostname = '' } = URL.canParse(url) ? new URL(url) : {}
  if (protocol !== 'https:' && !(protocol === 'http:' && isThisMachine(hostname)))
    throw new ConfigError(`${setting}: ${path}: the address of the witness ${name} must begin with https://`)
  return url.replace(/\/+$/, '')
}

const isThisMachine = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'))
