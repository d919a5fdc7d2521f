import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeOperatorIn } from '../src/compose/commands.ts'
import type { TestServer } from './test-server.ts'
import { openMill } from './console-mill.ts'
import { foundCompany, signUp } from './people.ts'

/** What the addresses of screens name. */
export type Places = Readonly<
  Record<
    | 'certificate'
    | 'company'
    | 'entry'
    | 'identity'
    | 'received'
    | 'requirement'
    | 'transaction'
    | 'waiting'
    | 'webhook'
    | 'withdrawn',
    string
  >
>

/** The addresses of each route of the console: with its parameters, and with searches that change what is drawn. */
export const addressesOf: Readonly<Record<string, (places: Places) => readonly string[]>> = {
  '/': () => ['/'],
  '/signed-in': () => ['/signed-in'],
  '/start': () => ['/start'],
  '/certificates': () => ['/certificates', '/certificates?q=nothing-has-this'],
  '/certificates/$id': ({ certificate }) => [`/certificates/${certificate}`],
  '/certificates/$id/replace': ({ certificate }) => [`/certificates/${certificate}/replace`],
  '/received': () => ['/received'],
  '/desk': () => ['/desk', '/desk?state=all'],
  '/desk/$id': ({ entry }) => [`/desk/${entry}`],
  '/requirements': () => ['/requirements'],
  '/requirements/$id': ({ requirement }) => [`/requirements/${requirement}`, '/requirements/new'],
  '/orders': () => ['/orders'],
  '/new': () => ['/new'],
  '/new/form': () => ['/new/form', '/new/form?family=en10168&version=1.0.0'],
  '/keys': () => ['/keys', '/keys?text=nothing-has-this'],
  '/keys/$identity': ({ identity }) => [`/keys/${identity}`],
  '/transactions': () => ['/transactions'],
  '/transactions/$id': ({ transaction }) => [`/transactions/${transaction}`],
  '/automation': () => ['/automation'],
  '/webhooks': () => ['/webhooks'],
  '/webhooks/new': () => ['/webhooks/new'],
  '/webhooks/$id': ({ webhook }) => [`/webhooks/${webhook}`, `/webhooks/${webhook}?text=nothing-has-this`],
  '/events': () => ['/events'],
  '/mails': () => ['/mails', '/mails?text=nothing-has-this'],
  '/company': () => ['/company', '/company?part=looks'],
  '/company/new': () => ['/company/new'],
  '/members': () => ['/members'],
  '/customers': () => ['/customers', '/customers?text=nothing-has-this'],
  '/me': () => ['/me'],
  '/operator/reviews': () => ['/operator/reviews'],
  '/operator/reviews/$company': ({ waiting }) => [`/operator/reviews/${waiting}`],
  '/operator/companies': () => ['/operator/companies'],
  '/operator/users': () => ['/operator/users'],
  '/operator/networks': () => ['/operator/networks'],
  '/operator/schemas': () => ['/operator/schemas'],
  '/operator/mails': () => ['/operator/mails', '/operator/mails?text=nothing-has-this'],
  '/operator/health': () => ['/operator/health'],
  '/operator/audit': () => ['/operator/audit'],
  $: () => ['/no-such-screen'],
}

const routes = join(import.meta.dirname, '../../console/src/routes')

/** The paths of the routes, as their files declare them. */
export const declaredRoutes = (): readonly string[] => {
  const texts = globSync('*.{ts,tsx}', { cwd: routes }).map((name) =>
    readFileSync(join(routes, name), 'utf8'),
  )
  return texts
    .flatMap((text) => text.split('createRoute({').slice(1))
    .flatMap((declaration) => {
      const path = /^[^}]*?\bpath: '([^']+)'/.exec(declaration)?.[1]
      const isLayout = /^[^}]*?\bid: '/.test(declaration)
      if (path === undefined && !isLayout)
        throw new Error(`A route without a path: ${declaration.slice(0, 80)}`)
      return path ?? []
    })
}

/** A company with something on every screen: an admin who is an operator as well, and a reader. */
export const fillScreens = async (server: TestServer) => {
  const mill = await openMill(server, 'everything')
  const { client, admin, identity } = mill
  const company = mill.company.id
  await makeOperatorIn(server.config, { email: admin.email })
  const reader = await signUp(server, 'reader')
  await client.addMember({ params: { id: company }, body: { email: reader.email, role: 'read_only' } })
  await client.createInvitation({
    params: { id: company },
    body: { email: 'invited-with-a-long-name@laboratory.example', role: 'operator' },
  })
  await client.createMailHook({
    company,
    body: { description: 'Sales', scopes: [{ resource: 'certificates', actions: ['notarize_one'] }] },
  })
  await client.createCustomer({
    company,
    body: {
      name: 'Bridge Builders with a Long Name Ltd',
      vatId: 'DE136695976',
      emails: ['quality-department@bridge-builders.example', 'goods@bridge-builders.example'],
      address: { street: 'Am Stahlhof 7', zipCode: '80331', city: 'München', country: 'DE' },
      language: 'de',
    },
  })
  const { id: requirement } = await client.keepRequirement({
    company,
    body: { name: 'Plate of order 4711', rules: [{ of: 'C', max: '0.20', unit: '%' }] },
  })
  await client.keepOrderLines({
    company,
    body: {
      lines: [
        {
          order: 'PO-4711',
          item: '10',
          grade: 'S355J2+N',
          dimensions: '20 x 2000 x 6000',
          quantity: '40',
          unit: 'pcs',
          requirement: 'Plate of order 4711',
        },
      ],
    },
  })
  const certificate = await mill.notarize({ number: 'A-2026/0001' })
  const file = await client.readCertificateJson({ company, params: { id: certificate } })
  const { id: entry } = await client.fileCertificate({
    company,
    query: { mode: 'test', against: 'Plate of order 4711', fileName: 'A-2026-0001.json' },
    document: new Blob([file], { type: 'application/json' }),
  })
  const withdrawn = await mill.notarize({ number: 'A-2026/0002', heat: '880017' })
  const at = { company, params: { id: withdrawn } }
  await client.withdrawCertificate({ ...at, body: { reason: 'The material was scrapped before delivery' } })
  const { id: webhook } = await client.createHook({
    company,
    body: {
      name: 'ERP system',
      connectionUrl: 'https://erp.example/millseal',
      scopes: [{ resource: 'certificates', actions: ['notarize_one', 'withdraw_one'] }],
    },
  })
  await client.createApplication({
    company,
    body: { name: 'Laboratory', mode: 'test', scopes: { certificates: { actions: ['read_one'] } } },
  })
  const [first] = await client.listTransactions({ company, query: { mode: 'test' } })
  const waiting = await foundCompany(server, await signUp(server, 'waiting'), { name: 'Waiting Mill' })
  const places: Places = {
    certificate,
    company,
    entry,
    identity: identity.id,
    received: certificate,
    requirement,
    transaction: first?.id ?? '',
    waiting: waiting.id,
    webhook,
    withdrawn,
  }
  return { mill, reader, places }
}
