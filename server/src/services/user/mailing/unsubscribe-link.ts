import { paths } from '../../../http/pages/links.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { Secret } from '../../../lib/secret.ts'
import { hashLinkToken, newLinkToken } from '../users/link-token.ts'
import type { UserDependencies } from '../dependencies.ts'
import {
  findRecipient,
  findSuppressions,
  insertRecipient,
  type StoredRecipient,
} from './suppressions.store.ts'

type Recipient = Pick<StoredRecipient, 'companyId' | 'address'>

/** The same link in every mail of this company to this address. The token says neither. */
export const unsubscribeUrlOf = async (
  deps: UserDependencies,
  recipient: Recipient,
): Promise<string | undefined> => {
  const { query } = deps.database
  const stored = (await findRecipient(query, recipient)) ?? (await addRecipient(deps, recipient))
  // Otherwise the company was deleted.
  return stored && unsubscribeUrlFor(deps, stored)
}

export const unsubscribeUrlFor = (
  { keystore, publicUrl }: UserDependencies,
  { id, encryptedToken }: { readonly id: string; readonly encryptedToken: Uint8Array },
): string => {
  const token = Buffer.from(keystore.decrypt(encryptedToken, contextOf(id))).toString('utf8')
  return `${publicUrl()}${paths.unsubscribe}/${token}`
}

export type Unsubscription = { readonly hasUnsubscribed: boolean; readonly url: string | undefined }

/** For mails with a record of their own: whether the receiver wants them, and the link to stop them. */
export const findUnsubscription = async (
  deps: UserDependencies,
  { companyId, address }: Recipient,
): Promise<Unsubscription> => {
  const recipient = { companyId, address: address.trim().toLowerCase() }
  const suppressions = await findSuppressions(deps.database.query, {
    companyId,
    addresses: [recipient.address],
  })
  return {
    hasUnsubscribed: suppressions.some(({ reason }) => reason === 'unsubscribed'),
    url: await unsubscribeUrlOf(deps, recipient),
  }
}

/** Undefined if no mail has this link. */
export const recipientOf = async (
  { database }: UserDependencies,
  token: Secret,
): Promise<StoredRecipient | undefined> =>
  await findRecipient(database.query, { tokenHash: hashLinkToken(token) })

const addRecipient = async (
  { database, keystore, clock }: UserDependencies,
  recipient: Recipient,
): Promise<StoredRecipient | undefined> => {
  const now = clock.now()
  const id = uuidv7(now)
  const token = newLinkToken()
  await insertRecipient(database.query, {
    ...recipient,
    id,
    tokenHash: hashLinkToken(token),
    encryptedToken: Buffer.from(keystore.encrypt(Buffer.from(token.reveal()), contextOf(id))),
    createdAt: new Date(now),
  })
  return await findRecipient(database.query, recipient)
}

const contextOf = (id: string): string => `mail_recipients/${id}`
