import type { Duplex } from 'node:stream'

export type ConnectionLimits = { readonly total: number; readonly perAddress: number }

/** Counts connections, those not yet let in too: nobody takes all the places by opening sockets. */
export const createTurnstile = ({ total, perAddress }: ConnectionLimits) => {
  const byAddress = new Map<string, number>()
  let all = 0
  /** False when there is no room; otherwise counted until the stream closes. `undefined`: an address that says nothing. */
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
