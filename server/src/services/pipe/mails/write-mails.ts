import { limits } from '@millseal/contract'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { Query } from '../../../ports/database/database.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { composeEventMail } from './compose-event-mail.ts'
import { languageOf } from './languages.ts'
import { insertMails } from './mails.store.ts'
import { type MailOrder, takeOrder } from './orders.store.ts'

/** Writes the mails of one order, one per address so that one that bounces keeps nobody else from theirs. */
export const writeMails =
  (
    deps: Pick<
      PipeDependencies,
      'database' | 'users' | 'mailer' | 'clock' | 'publicUrl' | 'log' | 'summarize'
    >,
    onMails: () => void,
  ) =>
  async (): Promise<boolean> => {
    const { database, mailer, clock, publicUrl, log, summarize } = deps
    const written = await database.transaction(async (tx) => {
      const order = await takeOrder(tx)
      if (order === undefined) return undefined
      const { name, vatId, addresses } = await readAddressee(deps, tx, order)
      if (addresses.length === 0) {
        log.warn({ eventId: order.eventId, companyId: order.companyId }, 'nobody is there to be mailed')
        return 0
      }
      const nowMs = clock.now()
      const content = composeEventMail({
        event: order,
        companyName: name,
        language: languageOf(vatId),
        publicUrl: publicUrl(),
        summarize,
      })
      const { payload: _payload, ...about } = order
      await insertMails(
        tx,
        addresses.map((recipient) => ({
          ...about,
          ...content,
          id: uuidv7(nowMs),
          recipient,
          sender: mailer.sender,
        })),
        new Date(nowMs),
      )
      return addresses.length
    })
    if (written !== undefined && written > 0) onMails()
    return written !== undefined
  }

type Addressee = { readonly name: string; readonly vatId: string; readonly addresses: readonly string[] }

const readAddressee = async (
  { users }: Pick<PipeDependencies, 'users'>,
  tx: Query,
  order: MailOrder,
): Promise<Addressee> => {
  const company = await users.findCompany(tx, order.companyId)
  if (company === undefined) return lastWordsOf(order)
  const contacts = await users.findContacts(tx, order.companyId)
  return { ...company, addresses: different(contacts) }
}

/** A company that is gone is reached by what the event of its end says of it. */
const lastWordsOf = ({ resource, payload }: MailOrder): Addressee => {
  if (resource !== 'companies') return { name: '', vatId: '', addresses: [] }
  const { name, vatId, emails, owner } = JSON.parse(Buffer.from(payload).toString('utf8')) as {
    name: string
    vatId: string
    emails: readonly string[]
    owner: { email: string }
  }
  return { name, vatId, addresses: different(emails.length > 0 ? emails : [owner.email]) }
}

const different = (addresses: readonly string[]): readonly string[] =>
  [...new Map(addresses.map((address) => [address.toLowerCase(), address])).values()].slice(
    0,
    limits.emails.maxItems,
  )
