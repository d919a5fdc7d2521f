import { recoveryOf, type SignedTransaction, verifyTransaction } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import type { Query } from '../../../ports/database/database.ts'
import type { KmDependencies } from '../dependencies.ts'
import { findDraft, findTransaction } from '../transactions/transactions.store.ts'
import type { StoredIdentity } from '../keys/identities.store.ts'

/** The transaction that is to publish the identity, but is not known to be on the ledger yet. */
export const findPublicationDraft = async (
  query: Query,
  { publicationId }: StoredIdentity,
): Promise<SignedTransaction | undefined> => {
  const draft = publicationId === null ? undefined : await findDraft(query, publicationId)
  return draft === undefined ? undefined : verifyTransaction(JSON.parse(draft), nodePrimitives)
}

/** The DID that the publication of the identity names as its recovery key; undefined if it names none. */
export const findRecoveryDid = async (
  { routing }: KmDependencies,
  query: Query,
  identity: StoredIdentity,
): Promise<string | undefined> => {
  const { publicationId, companyId, mode } = identity
  if (publicationId === null) return undefined
  const draft = await findPublicationDraft(query, identity)
  if (draft !== undefined) return recoveryOf(draft)
  const stored = await findTransaction(query, { id: publicationId, companyId, mode })
  const ledgerId = stored?.ledgerId ?? undefined
  if (ledgerId === undefined) return undefined
  const entry = await routing.findFirst(mode, (ledger) => ledger.find(ledgerId))
  return entry && recoveryOf(entry.transaction)
}
