import type { AddressInfo } from 'node:net'
import { type Configuration, Provider } from 'oidc-provider'

/**
 * An OpenID provider of somebody else, with the library's own defaults and pages: keys, client authentication and claims
 * are not those of ours. Accounts come from the parent process.
 */
export type Account = {
  readonly email?: string
  readonly email_verified?: unknown
  readonly preferred_username?: string
}

let accounts: Readonly<Record<string, Account>> = {}
const [redirectUri = '', clientId = '', clientSecret = ''] = process.argv.slice(2)

const configuration: Configuration = {
  clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
  claims: { email: ['email', 'email_verified'], profile: ['preferred_username'] },
  cookies: { keys: ['a key of the other issuer'] },
  findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id, ...accounts[id] }) }),
}

const listener = new Provider('http://127.0.0.1:1', configuration)
const server = listener.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  server.close(() => {
    // Its name has the port in it, so it is made again once that is known.
    new Provider(`http://127.0.0.1:${port}`, configuration).listen(port, '127.0.0.1', () => {
      process.send?.({ issuer: `http://127.0.0.1:${port}` })
    })
  })
})

process.on('message', (message: Readonly<Record<string, Account>>) => {
  accounts = message
  process.send?.({ known: true })
})
process.on('disconnect', () => process.exit())
