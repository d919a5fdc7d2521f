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
  /** How the person signs in there. */
  readonly amr?: readonly string[]
}

let accounts: Readonly<Record<string, Account>> = {}
const [redirectUris = '', clientId = '', clientSecret = ''] = process.argv.slice(2)

const configuration: Configuration = {
  clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: redirectUris.split(' ') }],
  claims: { openid: ['sub', 'amr'], email: ['email', 'email_verified'], profile: ['preferred_username'] },
  cookies: { keys: ['a key of the other issuer'] },
  findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id, ...accounts[id] }) }),
}

/** Its own sign-in page does not say how a person signed in. */
const sayHow = (provider: Provider): void => {
  const finish = provider.interactionFinished.bind(provider)
  provider.interactionFinished = (request, response, result, options) => {
    const { login } = result
    const amr = accounts[login?.accountId ?? '']?.amr
    const said =
      login === undefined || amr === undefined ? result : { ...result, login: { ...login, amr: [...amr] } }
    return finish(request, response, said, options)
  }
}

const listener = new Provider('http://127.0.0.1:1', configuration)
const server = listener.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  server.close(() => {
    // Its name has the port in it, so it is made again once that is known.
    const provider = new Provider(`http://127.0.0.1:${port}`, configuration)
    sayHow(provider)
    provider.listen(port, '127.0.0.1', () => {
      process.send?.({ issuer: `http://127.0.0.1:${port}` })
    })
  })
})

process.on('message', (message: Readonly<Record<string, Account>>) => {
  accounts = message
  process.send?.({ known: true })
})
process.on('disconnect', () => process.exit())
