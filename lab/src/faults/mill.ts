import { everyScope, newApplication, newOwner, tokenOf } from '../../../server/test/machines.ts'
import { signUp, signUpOperator, verifyCompany } from '../../../server/test/people.ts'
import { newIdentity } from '../../../server/test/signers.ts'
import { startOwnServer } from '../../../server/test/test-server.ts'
import { senderEmail } from './certificates.ts'

export type Mill = {
  readonly token: string
  readonly companyId: string
  readonly headers: Readonly<Record<string, string>>
  readonly identity: string
  /** Who gets a mail about every certificate. */
  readonly addresses: readonly string[]
}

/** The accounts, created by a server that has ended before the first fault. */
export const foundMill = async ({
  environment,
  receiver,
}: {
  /** Of one of the processes. */
  readonly environment: Readonly<Record<string, string>>
  /** Where the webhook sends events. */
  readonly receiver: { readonly url: string }
}): Promise<Mill> => {
  // Without a mail server, because mails with links are read from files.
  const { DATABASE_URL: databaseUrl = '', MILLSEAL_ROLES: _all, SMTP_URL: _none, ...others } = environment
  await using server = await startOwnServer({
    databaseUrl,
    environment: { ...others, MILLSEAL_DRAIN_MS: '0' },
  })
  const sender = await signUp(server, senderEmail.slice(0, senderEmail.indexOf('@')))
  const owner = await newOwner(server, 'unlucky-mill')
  const { admin, company } = owner
  const asAdmin = server.client(admin.accessToken)
  await asAdmin.addMember({ params: { id: company.id }, body: { email: sender.email, role: 'operator' } })
  // People whom an admin added get mails of verified companies only.
  await verifyCompany(server, await signUpOperator(server), company.id)
  await asAdmin.createHook({
    company: company.id,
    body: {
      connectionUrl: receiver.url,
      mode: 'test',
      scopes: [{ resource: 'certificates', actions: ['notarize_one'] }],
    },
  })
  const token = await tokenOf(server, await newApplication(server, owner, { scopes: everyScope }))
  const { id: identity } = await newIdentity(server.client(token), company.id)
  return {
    token,
    companyId: company.id,
    headers: { authorization: `Bearer ${token}`, company: company.id },
    identity,
    addresses: [admin.email, sender.email],
  }
}
