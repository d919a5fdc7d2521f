import { limits } from '@millseal/contract'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { Query } from '../../../ports/database/database.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { composeEventMail } from './compose-event-mail.ts'
import { languageOf } from './languages.ts'
import { insertMails } from './mails.store.ts'
import { type MailOrder, takeOrder } from './orders.store.ts'

/**
 * Writes the mails of one order, one per address, so that an address that bounces does not affect the others. Returns
 * false if there was no order.
 */
export const writeMails = async (deps: PipeDependencies, onMails: () => void): Promise<boolean> => {
  const { database, mailer, clock, publicUrl, log, summarize } = deps
  const written = await database.transaction(async (tx) => {
    const order = await takeOrder(tx)
    if (order === undefined) return undefined
    const { name, vatId, addresses } = await findAddressee(deps, tx, order)
    if (addresses.length === 0) {
      log.warn({ eventId: order.eventId, companyId: order.companyId }, 'an event mail has no recipient')
      return 0
    }
    const now = new Date(clock.now())
    const { payload: _payload, ...about } = order
    const mail = {
      ...about,
      ...composeEventMail({
        event: order,
        companyName: name,
        language: languageOf(vatId),
        publicUrl: publicUrl(),
        summarize,
      }),
      sender: mailer.sender,
      nextAttemptAt: now,
      createdAt: now,
      updatedAt: now,
    }
    await insertMails(
      tx,
      addresses.map((recipient) => ({ ...mail, id: uuidv7(now.getTime()), recipient })),
    )
    return addresses.length
  })
  if (written !== undefined && written > 0) onMails()
  return written !== undefined
}

type Addressee = { readonly name: string; readonly vatId: string; readonly addresses: readonly string[] }

const findAddressee = async (
  { users }: PipeDependencies,
  tx: Query,
  order: MailOrder,
): Promise<Addressee> => {
  const company = await users.findCompany(tx, order.companyId)
  if (company === undefined) return addresseeInPayload(order)
  const contacts = await users.findContacts(tx, order.companyId)
  return { ...company, addresses: distinct(contacts) }
}

/** Only the events about a deleted company still know its addresses. */
const addresseeInPayload = ({ resource, payload }: MailOrder): Addressee => {
  if (resource !== 'companies') return { name: '', vatId: '', addresses: [] }
  const { name, vatId, emails, owner } = JSON.parse(Buffer.from(payload).toString('utf8')) as {
    name: string
    vatId: string
    emails: readonly string[]
    owner: { email: string }
  }
  return { name, vatId, addresses: distinct(emails.length > 0 ? emails : [owner.email]) }
}

const distinct = (addresses: readonly string[]): readonly string[] =>
  [...new Map(addresses.map((address) => [address.toLowerCase(), address])).values()].slice(
    0,
    limits.emails.maxItems,
  )
