import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { parse } from 'node:querystring'
import type { ClientConfig } from 'pg'
import type { Database } from '../src/ports/database/database.ts'
import { addressOf } from './test-server.ts'

export type SilentNetwork = AsyncDisposable & {
  /** The address of the database through this network. */
  readonly databaseUrl: string
  /** Drops everything in both directions, without closing connections. */
  fallSilent(): void
  /** New connections work again. Earlier ones stay silent, as behind a firewall that forgot them. */
  recover(): void
  /** Those that the service has not closed. */
  countOpen(): number
}

type Pair = { readonly near: Socket; readonly far: Socket; forgotten: boolean }

/** A network to a test database, which is reached by a unix socket. */
export const openNetworkTo = (database: Pick<Database, 'connection'>): Promise<SilentNetwork> => {
  const { pathname, port, username, search } = new URL(addressOf(database))
  const host = String(parse(search.slice(1))['host'] ?? 'localhost')
  return openSilentNetwork({ host, port: Number(port), user: username, database: pathname.slice(1) })
}

/** A network between the service and its database that can drop everything. */
export const openSilentNetwork = async ({
  host = 'localhost',
  port = 5432,
  user = '',
  database = '',
}: Pick<ClientConfig, 'host' | 'port' | 'user' | 'database'>): Promise<SilentNetwork> => {
  const pairs = new Set<Pair>()
  let silent = false
  const carry = (pair: Pair, from: Socket, to: Socket): void => {
    from.on('data', (bytes) => {
      if (!silent && !pair.forgotten) to.write(bytes)
    })
    from.on('close', () => {
      if (!silent) to.destroy()
    })
    from.on('error', () => {})
  }
  const server = createServer((near) => {
    const far = host.startsWith('/') ? connect(join(host, `.s.PGSQL.${port}`)) : connect(port, host)
    const pair: Pair = { near, far, forgotten: silent }
    pairs.add(pair)
    carry(pair, near, far)
    carry(pair, far, near)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    databaseUrl: `postgresql://${user}@127.0.0.1:${address.port}/${database}`,
    fallSilent() {
      silent = true
      for (const pair of pairs) pair.forgotten = true
    },
    recover() {
      silent = false
      // The database detects dead connections by keepalives.
      for (const { near, far } of pairs) if (near.destroyed) far.destroy()
    },
    countOpen: () => [...pairs].filter(({ near }) => !near.destroyed).length,
    async [Symbol.asyncDispose]() {
      for (const { near, far } of pairs) {
        near.destroy()
        far.destroy()
      }
      server.close()
      await once(server, 'close')
    },
  }
}
