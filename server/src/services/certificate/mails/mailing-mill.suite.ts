import { join } from 'node:path'
import { createEmlFolderMailer } from '../../../adapters/mailer/eml-folder.ts'
import { acceptCertificate } from '../../../../test/certificate-service.ts'
import { signUpOperator, verifyCompany } from '../../../../test/people.ts'
import type { Mail, Mailer } from '../../../ports/mailer/mailer.ts'
import { openMill, type OpenedMill } from '../mill.suite.ts'
import { claimOne } from '../notarizations/claimed.suite.ts'
import { endNotarizations, storePdfs } from '../notarizations/progress.store.ts'

export type MailingMill = OpenedMill & {
  /** Returns the id of a notarized certificate. */
  notarized(certificate: object, mode?: 'test' | 'live'): Promise<string>
  /** The real mailer, recording the mails it accepts. Mails to `unreachable` go to a mailer whose folder cannot exist. */
  watched(unreachable?: readonly string[]): { readonly mailer: Mailer; readonly mails: Mail[] }
}

const recordedAt = new Date('2026-02-03T04:05:06.789Z')

/** A verified company, which may mail others in live mode. */
export const openMailingMill = async (username: string): Promise<MailingMill> => {
  const opened = await openMill(username)
  const { server, deps, mill } = opened
  await verifyCompany(server, await signUpOperator(server), mill.company.id)
  return {
    ...opened,
    async notarized(certificate, mode = 'live') {
      const { company } = mill
      const id = await acceptCertificate(deps, {
        companyId: company.id,
        identityId: company.id,
        certificate,
        mode,
      })
      await claimOne(deps, id)
      const pdf = { id, pdf: Buffer.from('%PDF-1.7 sample'), pdfHash: 'cd'.repeat(32), seal: null }
      await storePdfs(deps.database.query, [pdf], new Date())
      const end = { state: 'notarized', transactionId: 'ab'.repeat(32), recordedAt } as const
      await endNotarizations(deps.database.query, [{ id: id, ...end }], new Date())
      return id
    },
    watched(unreachable = []) {
      const mails: Mail[] = []
      const broken = createEmlFolderMailer({
        folder: join(import.meta.filename, 'mails'),
        from: 'server@localhost',
        clock: deps.clock,
      })
      const mailer: Mailer = {
        ...deps.mailer,
        send: async (mail) => {
          const isUnreachable = mail.to.some(({ address }) => unreachable.includes(address))
          await (isUnreachable ? broken : deps.mailer).send(mail)
          mails.push(mail)
        },
      }
      return { mailer, mails }
    },
  }
}

export const issuer = (address: string) => ({ address, as: 'issuer' }) as const
export const receiver = (address: string) => ({ address, as: 'receiver' }) as const
