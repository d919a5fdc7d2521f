import { Client } from 'pg'
import { createClient } from '@millseal/sdk'
import { openTestDatabase } from '../../test/database.ts'
import { everyScope, newApplication, newOwner, tokenOf } from '../../test/machines.ts'
import { signUp, signUpOperator, verifyCompany } from '../../test/people.ts'
import { freePort } from '../../test/server-process.ts'
import { newIdentity } from '../../test/signers.ts'
import { makeTemporaryFolder } from '../../test/temporary-folder.ts'
import { addressOf, startOwnServer } from '../../test/test-server.ts'

/** What servers that are killed and started again have in common: an address, a database, a folder and an issuer. */
export const openInstallation = async () => {
  await using opening = new AsyncDisposableStack()
  const database = opening.use(await openTestDatabase())
  const folder = opening.use(await makeTemporaryFolder())
  const port = String(await freePort())
  const url = `http://localhost:${port}`
  const environment = {
    MILLSEAL_PORT: port,
    DATABASE_URL: addressOf(database),
    MILLSEAL_DATA_DIR: folder.path,
    MILLSEAL_MASTER_KEY: Buffer.alloc(32, 'test').toString('base64'),
    MILLSEAL_PUBLIC_URL: url,
    MILLSEAL_VIES: 'off',
  }
  const issuer = await furnish(environment)
  const opened = opening.move()
  return {
    environment,
    url,
    folder: folder.path,
    ...issuer,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** The accounts, created by a server that has stopped before the first kill. */
const furnish = async (environment: Readonly<Record<string, string>>) => {
  await using server = await startOwnServer({ databaseUrl: environment['DATABASE_URL'] ?? '', environment })
  // The sender in the certificate: in test mode only members get mails.
  const { email } = await signUp(server, 'mill')
  const owner = await newOwner(server, 'unlucky-mill')
  await server
    .client(owner.admin.accessToken)
    .addMember({ params: { id: owner.company.id }, body: { email, role: 'operator' } })
  // People whom an admin added get mails of verified companies only.
  await verifyCompany(server, await signUpOperator(server), owner.company.id)
  const approver = await signUp(server, 'unlucky-approver')
  await server
    .client(owner.admin.accessToken)
    .addMember({ params: { id: owner.company.id }, body: { email: approver.email, role: 'approver' } })
  const token = await tokenOf(server, await newApplication(server, owner, { scopes: everyScope }))
  const client = createClient({ baseUrl: server.url, accessToken: token })
  const identity = await newIdentity(client, owner.company.id)
  const { id: company } = owner.company
  return { token, email: owner.admin.email, company, identity: identity.id, admin: owner.admin, approver }
}

export const rows = async (client: Client, statement: string): Promise<Record<string, unknown>[]> =>
  (await client.query<Record<string, unknown>>(statement)).rows

export const connected = async (connectionString: string) => {
  const client = new Client({ connectionString })
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}
