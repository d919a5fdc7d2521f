import type { Server } from 'node:http'
import { BlockList, isIPv4, isIPv6, type Socket } from 'node:net'
import type { HttpSettings } from './dependencies.ts'
import { networkOf } from '../lib/network-of.ts'

/** Closes connections beyond the limit, but not those of trusted proxies, which carry all clients. WebSockets no longer count: the broker has limits of its own. */
export const limitConnections = (
  server: Server,
  { connectionsPerAddress, trustProxy }: HttpSettings,
): void => {
  const open = new Map<string, number>()
  const releases = new WeakMap<object, () => void>()
  const isProxy = matcherOf(trustProxy)

  const hold = (socket: Socket, network: string): void => {
    let isHeld = true
    const release = (): void => {
      if (!isHeld) return
      isHeld = false
      const left = (open.get(network) ?? 1) - 1
      if (left === 0) open.delete(network)
      else open.set(network, left)
    }
    open.set(network, (open.get(network) ?? 0) + 1)
    releases.set(socket, release)
    socket.once('close', release)
  }

  server.on('connection', (socket) => {
    const { remoteAddress } = socket
    if (remoteAddress === undefined || isProxy(remoteAddress)) return
    const network = networkOf(remoteAddress)
    if ((open.get(network) ?? 0) >= connectionsPerAddress) socket.destroy()
    else hold(socket, network)
  })
  server.on('upgrade', (_request, socket) => releases.get(socket)?.())
}

const matcherOf = (networks: readonly string[]): ((address: string) => boolean) => {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return (address) => {
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
    return list.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6')
  }
}
