import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CreateMailHook, Mail, MailHook } from '@millseal/contract'
import { listedOnce } from './eventually.ts'
import type { TestServer } from './test-server.ts'
import type { Owner } from './machines.ts'

type Asking = Pick<Owner, 'admin' | 'company'>

/** Of changes to applications in test mode, unless asked otherwise: what `newEventfulOwner` produces. */
export const newMailHook = (
  server: TestServer,
  { admin, company }: Asking,
  body: Partial<CreateMailHook> = {},
): Promise<MailHook> =>
  server.client(admin.accessToken).createMailHook({
    company: company.id,
    body: { scopes: [{ resource: 'applications', actions: ['update_one'], mode: 'test' }], ...body },
  })

/** Sets the addresses of the company. */
export const mailTo = async (
  server: TestServer,
  { admin, company }: Asking,
  emails: string[],
): Promise<void> => {
  await server
    .client(admin.accessToken)
    .updateCompany({ params: { id: company.id }, body: { id: company.id, emails } })
}

/** The mails of a hook once they satisfy, oldest first. */
export const mailsOnce = async (
  server: TestServer,
  { admin, company }: Asking,
  hookId: string,
  satisfied: (mails: readonly Mail[]) => boolean,
): Promise<readonly Mail[]> => {
  const client = server.client(admin.accessToken)
  const query = { mailhook: hookId, limit: 1_000 }
  const mails = await listedOnce(() => client.listMails({ company: company.id, query }), satisfied)
  return mails.toReversed()
}

/** Until this is disposed, no mail can be sent: there is a file in place of the mail folder. */
export const blockMails = async (server: TestServer): Promise<AsyncDisposable> => {
  const folder = join(server.config.dataDir, 'mails')
  await rename(folder, `${folder}-aside`)
  await writeFile(folder, '')
  return {
    async [Symbol.asyncDispose]() {
      await rm(folder)
      await rename(`${folder}-aside`, folder)
    },
  }
}
