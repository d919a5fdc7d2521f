import type { Duplex } from 'node:stream'

export type ConnectionLimits = { readonly total: number; readonly perAddress: number }

/** Counts connections, including unauthenticated ones, so that open sockets alone cannot use them up. */
export const createConnectionLimiter = ({ total, perAddress }: ConnectionLimits) => {
  const byAddress = new Map<string, number>()
  let all = 0
  /** False at the limit. Otherwise the stream counts until it closes. An undefined address is not limited. */
  return (stream: Duplex, address: string | undefined): boolean => {
    const here = address === undefined ? 0 : (byAddress.get(address) ?? 0)
    if (all >= total || here >= perAddress) return false
    all += 1
    if (address !== undefined) byAddress.set(address, here + 1)
    stream.once('close', () => {
      all -= 1
      if (address === undefined) return
      const left = (byAddress.get(address) ?? 1) - 1
      if (left === 0) byAddress.delete(address)
      else byAddress.set(address, left)
    })
    return true
  }
}
