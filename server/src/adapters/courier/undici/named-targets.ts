import ipaddr from 'ipaddr.js'

export type NamedTargets = {
  /** Matches the name or address in a URL. */
  has(target: { readonly host: string; readonly port: number }): boolean
  hasAddress(address: string): boolean
}

/** Reads networks (`10.0.0.0/8`), hosts (`erp.local`) and hosts with a port (`erp.local:8443`). */
export const readNamedTargets = (entries: readonly string[]): NamedTargets => {
  const networks = entries
    .filter(isNetwork)
    .map((entry): ReturnType<typeof ipaddr.parseCIDR> => ipaddr.parseCIDR(entry))
  const hosts = new Set(entries.filter((entry) => !isNetwork(entry)).map((entry) => entry.toLowerCase()))
  const hasAddress = (text: string): boolean => {
    if (!ipaddr.isValid(text)) return false
    const address = ipaddr.process(text)
    return networks.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
    )
  }
  return {
    has: ({ host, port }) => hosts.has(host) || hosts.has(`${host}:${port}`) || hasAddress(host),
    hasAddress,
  }
}

const isNetwork = (entry: string): boolean => ipaddr.isValidCIDR(entry)
