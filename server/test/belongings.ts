import { eventually } from './eventually.ts'
import type { Company, ScopeObject } from '@millseal/contract'
import type { Client } from '@millseal/sdk'
import { sampleCertificate } from './certificates.ts'
import type { TestServer } from './test-server.ts'
import { everyScope } from './machines.ts'
import { enableMfa, foundCompany, type Person, signUp, signUpOperator, verifyCompany } from './people.ts'
import { newIdentity } from './signers.ts'

/** A verified company with one record of every kind. */
export type Side = {
  readonly person: Person
  readonly company: Company
  /** Tokens with all scopes: of an application in each mode, then a long-lived one. */
  readonly machines: readonly string[]
  /** The records of this company, by the name of the path parameter. */
  readonly ids: Readonly<Record<string, string>>
  /** A transaction that one of its identities can sign. */
  readonly unsigned: object
}

type Ids = Readonly<Record<string, string>>

export const settle = async (
  server: TestServer,
  name: string,
  scopes: ScopeObject = everyScope,
): Promise<Side> => {
  const person = await signUp(server, name)
  const operator = await signUpOperator(server)
  const company = await foundCompany(server, person)
  await verifyCompany(server, operator, company.id)
  await enableMfa(server, person)
  const client = server.client(person.accessToken)
  const header = { company: company.id }
  const made = await Promise.all(
    (['test', 'live'] as const).map((mode) =>
      client.createApplication({ ...header, body: { name: `${name} ${mode}`, mode, scopes } }),
    ),
  )
  const tokens = await Promise.all(
    made.map(({ clientId, clientSecret }) =>
      server.client().createToken({ body: { clientId, clientSecret } }),
    ),
  )
  const longLived = await client.createAccessToken({ ...header, query: { mode: 'test' }, body: { scopes } })
  const { authenticators } = await client.readMfa()
  const [session] = await client.listSessions()
  const { unsigned, ...keys } = await makeKeys(client, company.id)
  return {
    unsigned,
    person,
    company,
    machines: [...tokens.map(({ accessToken }) => accessToken), longLived.jwt],
    ids: {
      companies: company.id,
      users: person.id,
      applications: made[0]?.id ?? '',
      accesstoken: longLived.id,
      sessions: session?.id ?? '',
      totp: authenticators[0]?.id ?? '',
      ...keys,
      customers: (await client.createCustomer({ ...header, body: { name: `Customer of ${name}` } })).id,
      requirements: (
        await client.keepRequirement({
          ...header,
          body: { name: `Requirement of ${name}`, rules: [{ of: 'C', max: '0.20', unit: '%' }] },
        })
      ).id,
      'order-lines':
        (await client.keepOrderLines({ ...header, body: { lines: [{ order: `PO of ${name}` }] } }))[0]?.id ??
        '',
      inbox: (
        await client.fileCertificate({
          ...header,
          query: { mode: 'test' },
          document: new Blob([JSON.stringify(sampleCertificate())], { type: 'application/json' }),
        })
      ).id,
      ...(await listen(client, company.id)),
      ...(await haveMails(client, company.id, made[0]?.id ?? '')),
    },
  }
}

/** Keys, a transaction signed with them, and an accepted certificate. */
const makeKeys = async (client: Client, company: string) => {
  const about = { company, query: { mode: 'test' } } as const
  const { id, publicKey, wallet } = await newIdentity(client, company)
  const createOptions = {
    asset: { heat: '4711' },
    metadata: null,
    issuers: [publicKey],
    recipients: [{ publicKeys: [publicKey], amount: '1' }],
  }
  const unsigned = await client.buildTransaction({
    ...about,
    body: { coinType: 822, bcdbOptions: { operation: 'CREATE', createOptions } },
  })
  const { transaction } = await client.signTransaction({
    company,
    query: { mode: 'test', identity: id, type: 'transparent' },
    body: unsigned,
  })
  const { jobId = '' } = await client.notarizeCertificate({
    company,
    query: { mode: 'test', identity: id },
    document: new Blob([JSON.stringify(sampleCertificate())], { type: 'application/json' }),
  })
  return { unsigned, wallets: wallet, identities: id, transactions: transaction.id, certificates: jobId }
}

/** A webhook whose receiver is down, and a pending event for it. */
const listen = async (client: Client, company: string): Promise<Ids> => {
  const scopes = [{ resource: 'companies', actions: ['update_one'] }]
  const hook = await client.createHook({
    company,
    body: { connectionUrl: 'https://receiver.invalid/hook', mode: 'test', scopes },
  })
  const event = await client.testHook({ company, params: { id: hook.id } })
  return { hooks: hook.id, events: event.id }
}

/** A mail hook and one of its mails. */
const haveMails = async (client: Client, company: string, application: string): Promise<Ids> => {
  const scopes = [{ resource: 'applications', actions: ['update_one'] }]
  const { id } = await client.createMailHook({ company, body: { scopes } })
  await client.updateApplication({ company, params: { id: application }, body: { name: 'Line 3' } })
  const mail = await eventually(
    async () => (await client.listMails({ company, query: { mailhook: id } }))[0],
    {
      what: 'a mail of a mail hook',
    },
  )
  return { mailhooks: id, mails: mail.id }
}
