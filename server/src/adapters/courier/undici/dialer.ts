import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { buildConnector } from 'undici'
import { because } from '@millseal/contract/reasons'
import { NotDelivered } from '../../../ports/courier/courier.ts'
import type { NamedTargets } from './named-targets.ts'
import { isPublicAddress } from './public-address.ts'

/** Returns all addresses of a name. Called once per connection. */
export type Resolve = (name: string) => Promise<readonly string[]>

export type DialerOptions = {
  readonly named: NamedTargets
  readonly resolve: Resolve
  readonly verifyCertificate: boolean
  readonly timeoutMs: number
}

const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

/**
 * Resolves a name, checks the address and connects to exactly this address: it does not help if the name resolves to a
 * different one later. An address in the URL is checked as well.
 */
export const createDialer = ({
  named,
  resolve,
  verifyCertificate,
  timeoutMs,
}: DialerOptions): buildConnector.connector => {
  const connect = buildConnector({
    rejectUnauthorized: verifyCertificate,
    timeout: timeoutMs,
    allowH2: false,
  })
  const choose = async ({ hostname, port, protocol }: buildConnector.Options): Promise<string> => {
    const host = hostname.toLowerCase()
    const addresses = isIP(hostname) === 0 ? await resolve(hostname) : [hostname]
    const isNamed = named.has({ host, port: Number(port || defaultPorts[protocol]) })
    const usable = addresses.find(
      (address) => isNamed || named.hasAddress(address) || isPublicAddress(address),
    )
    if (usable !== undefined) return usable
    throw new NotDelivered(because(addresses.length === 0 ? 'host_without_address' : 'target_not_public'))
  }
  return (options, callback) => {
    choose(options).then(
      (hostname) => connect({ ...options, hostname }, callback),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    )
  }
}

/** Default for `servers`: those of the machine. */
type ResolverOptions = { readonly servers?: readonly string[]; readonly timeoutMs: number }

/**
 * Asks the name servers first, which does not block a thread if they do not answer. The hosts file and similar sources are
 * used for names that they do not know.
 */
export const createResolve =
  ({ servers, timeoutMs }: ResolverOptions): Resolve =>
  async (name) => {
    const resolver = new Resolver({ timeout: timeoutMs, tries: 2 })
    if (servers !== undefined) resolver.setServers(servers)
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length > 0) return addresses
    const isSilent = answers.some(
      ({ status, ...rest }) =>
        status === 'rejected' && codeOf((rest as PromiseRejectedResult).reason) === 'ETIMEOUT',
    )
    if (isSilent) throw new NotDelivered(because('host_not_resolved'))
    const found = await lookup(name, { all: true }).catch(() => [])
    return found.map(({ address }) => address)
  }

export const resolveName = createResolve({ timeoutMs: 2_000 })

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined
