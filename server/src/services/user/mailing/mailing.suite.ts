import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type CertificateProcess, openCertificateProcess } from '../../../../test/certificate-service.ts'
import { newOwner, type Owner } from '../../../../test/machines.ts'
import { type MailProvider, newMailProvider } from '../../../../test/mail-status.ts'
import { signUpOperator, verifyCompany } from '../../../../test/people.ts'
import { startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import { readMessage } from '../../../lib/read-message.ts'
import { sendCompanyMail } from '../index.ts'

export type MailingCompanies = AsyncDisposable & {
  readonly server: TestServer
  readonly provider: MailProvider
  readonly deps: CertificateProcess['deps']
  /** A company that may mail others. */
  verified(username: string): Promise<Owner>
  /** Sends a mail about something new. Returns the raw mail, or undefined if none was sent. */
  send(owner: Owner, address: string): Promise<string | undefined>
}

/** A server whose companies send mails that the test asks for. */
export const openMailing = async (mailsPerDay: number): Promise<MailingCompanies> => {
  await using opening = new AsyncDisposableStack()
  const provider = newMailProvider()
  const environment = {
    MILLSEAL_MAIL_STATUS_KEY: provider.publicKey,
    MILLSEAL_MAILS_PER_DAY: String(mailsPerDay),
  }
  const server = opening.use(await startOwnServer({ environment }))
  const { deps } = opening.use(await openCertificateProcess(server, { mailsPerDay }))
  const opened = opening.move()
  return {
    server,
    provider,
    deps,
    async verified(username) {
      const owner = await newOwner(server, username)
      await verifyCompany(server, await signUpOperator(server), owner.company.id)
      return owner
    },
    async send({ company }, address) {
      const about = randomUUID()
      const to = { companyId: company.id, mode: 'live', kind: 'correction', about, address } as const
      await sendCompanyMail(deps, to, () => ({ subject: about, text: 'A mail' }))
      return (await server.mailsTo(address, 0, new RegExp(about)))[0]
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

export const linkOf = (mail: string | undefined): string =>
  /^<(.*)>$/.exec(readMessage(Buffer.from(mail ?? '')).header('list-unsubscribe'))?.[1] ?? assert.fail()

export const post = (link: string, body: string): Promise<Response> =>
  fetch(link, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    redirect: 'error',
  })

export const oneClick = (link: string): Promise<Response> => post(link, 'List-Unsubscribe=One-Click')
