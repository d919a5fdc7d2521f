import { once } from 'node:events'
import { createServer } from 'node:http'
import { startServerWithForge } from '../forge.ts'
import { linkIn } from '../test-server.ts'
import { everyScope, newApplication, newOwner, tokenOf } from '../machines.ts'
import { aim, type Target } from './target.ts'

export interface OpenTarget extends AsyncDisposable {
  readonly target: Target
  /** Of the same company, and good. */
  readonly longLived: string
  /** What was fetched from the key set of the attacker's. */
  readonly baited: readonly string[]
}

/** A server with a company to attack, and everything an attacker may have got hold of. */
export const openTarget = async (): Promise<OpenTarget> => {
  await using opened = new AsyncDisposableStack()
  const baited: string[] = []
  const bait = createServer((request, response) => {
    baited.push(request.url ?? '')
    response.end('{"keys":[]}')
  }).listen(0, '127.0.0.1')
  opened.defer(() => void bait.close())
  await once(bait, 'listening')
  const { server, forge } = await startServerWithForge()
  opened.use(server)
  const owner = await newOwner(server, 'target')
  const client = server.client(owner.admin.accessToken)
  const application = await newApplication(server, owner, { scopes: everyScope })
  const other = await newApplication(server, owner)
  const rotated = await tokenOf(server, other)
  await client.rotateApplicationSecret({ params: { id: other.id }, company: owner.company.id })
  const asked = { company: owner.company.id, query: { mode: 'test' }, body: { scopes: everyScope } } as const
  const longLived = (await client.createAccessToken(asked)).jwt
  const [mail = ''] = await server.mailsTo(owner.admin.email, 1)
  const address = bait.address()
  const target = aim({
    server,
    forge,
    owner,
    valid: await tokenOf(server, application),
    baitUrl: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/keys`,
    known: {
      refreshToken: owner.admin.refreshToken,
      clientSecret: application.clientSecret,
      linkToken: linkIn(mail).searchParams.get('token') ?? '',
      rotated,
    },
  })
  const stack = opened.move()
  return { target, longLived, baited, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}
