import { type Company, limits } from '@millseal/contract'
import { because, inEnglish, type Reason } from '@millseal/contract/reasons'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { PipeDependencies } from '../dependencies.ts'
import type { HeldBack } from '../../user/index.ts'
import { composeEventMail } from './compose-event-mail.ts'
import { languageOf, type MailLanguage } from '../../../lib/mail-languages.ts'
import { insertMails } from './mails.store.ts'
import { type MailOrder, takeOrder } from './orders.store.ts'

/**
 * Writes the mails of one order, one per address, so that an address that bounces does not affect the others. Returns
 * false if there was no order.
 */
export const writeMails = async (deps: PipeDependencies, onMails: () => void): Promise<boolean> => {
  const { database, users, mailer, clock, publicUrl, log, summarize, mailBytes } = deps
  const written = await database.transaction(async (tx) => {
    const order = await takeOrder(tx)
    if (order === undefined) return undefined
    const { name, vatId, isDeleted = false, recipients } = await findAddressee(deps, tx, order)
    if (recipients.length === 0) {
      log.warn({ eventId: order.eventId, companyId: order.companyId }, 'an event mail has no recipient')
      return 0
    }
    const now = new Date(clock.now())
    const { payload: _payload, ...about } = order
    const compose = (language: MailLanguage) =>
      composeEventMail({
        event: order,
        companyName: name,
        language,
        publicUrl: publicUrl(),
        companyId: isDeleted ? undefined : order.companyId,
        summarize,
        mailBytes,
      })
    const own = await users.findLanguages(
      tx,
      recipients.map(({ address }) => address),
    )
    await insertMails(
      tx,
      recipients.map(({ address, heldBack }) => ({
        ...about,
        ...compose(own.get(address) ?? languageOf(vatId)),
        id: uuidv7(now.getTime()),
        sender: mailer.sender,
        recipient: address,
        nextAttemptAt: heldBack === null ? now : null,
        deliveryError: heldBack === null ? null : inEnglish(notSent(heldBack)),
        reasons: heldBack === null ? null : JSON.stringify([notSent(heldBack)]),
        createdAt: now,
        updatedAt: now,
      })),
    )
    return recipients.length
  })
  if (written !== undefined && written > 0) onMails()
  return written !== undefined
}

const notSent = (heldBack: HeldBack): Reason => because(`not_sent_${heldBack}`)

type Addressee = {
  readonly name: string
  readonly vatId: string
  readonly isDeleted?: boolean
  readonly recipients: readonly { readonly address: string; readonly heldBack: HeldBack | null }[]
}

const findAddressee = async (
  { users }: PipeDependencies,
  tx: Transaction,
  order: MailOrder,
): Promise<Addressee> => {
  const { companyId, mode } = order
  const company = await users.findCompany(tx, companyId)
  if (company === undefined) return addresseeInPayload(order)
  const contacts = await users.findContacts(tx, companyId)
  const addresses = contacts.slice(0, limits.emails.maxItems)
  const recipients = await users.decideMails(tx, companyId, { mode, addresses, isWarning: false })
  return { ...company, recipients }
}

/** Only the events about a deleted company still know its addresses and members. */
const addresseeInPayload = ({ resource, mode, payload }: MailOrder): Addressee => {
  if (resource !== 'companies') return { name: '', vatId: '', recipients: [] }
  const company = JSON.parse(Buffer.from(payload).toString('utf8')) as Pick<
    Company,
    'name' | 'vatId' | 'emails' | 'verified' | 'owner' | 'members'
  >
  const { name, vatId, emails, verified, owner, members } = company
  const confirmed = new Set(
    [owner, ...members].flatMap(({ email, emailConfirmed }) => (emailConfirmed ? [email.toLowerCase()] : [])),
  )
  const reviewed = verified ? null : 'unreviewed'
  const limit = mode === 'test' ? 'test_mode' : reviewed
  const addresses = new Set((emails.length > 0 ? emails : [owner.email]).map((one) => one.toLowerCase()))
  return {
    name,
    vatId,
    isDeleted: true,
    recipients: [...addresses].map((address) => ({
      address,
      heldBack: confirmed.has(address) ? null : limit,
    })),
  }
}
