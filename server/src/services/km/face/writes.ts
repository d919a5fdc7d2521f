import { canonicalLedgerText, InvalidTransaction, readJson, verifyTransaction } from '@millseal/proof'
import type { FastifyInstance } from 'fastify'
import { nodePrimitives } from '../../../lib/primitives.ts'
import type { LedgerFaceSource } from '../../../ports/ledger/ledger-face.ts'
import { FaceError, sendJson } from './face-error.ts'
import { asMode, optional } from './query.ts'
import { queryOf } from './reads.ts'

/** A transaction may be 65,535 bytes as text of its own; one that is larger with its white space is refused too. */
export const largestBodyBytes = 64 * 1024
const maxDepth = 64
const deadlineMs = 20_000

/**
 * The original answers before (`async`), during (`sync`) or after (`commit`) consensus. Here an answer always means that
 * the transaction is in the log: that is what all three promise and more, and a log takes milliseconds.
 */
export const registerWrites = (
  server: FastifyInstance,
  { ledger, isOpen }: { readonly ledger: () => LedgerFaceSource; readonly isOpen: boolean },
): void => {
  const limited = { bucket: 'ledger.write', perMinute: 60 } as const
  server.post(
    '/transactions',
    { config: { limited }, bodyLimit: largestBodyBytes },
    async (request, reply) => {
      if (!isOpen) throw new FaceError(403, 'This ledger takes transactions only from its own service')
      optional(queryOf(request), 'mode', asMode)
      const transaction = readTransaction(request.body)
      const { entry, isNew } = await ledger().submit(transaction, AbortSignal.timeout(deadlineMs))
      if (!isNew) throw duplicate(transaction.id, entry.transaction.id)
      return sendJson(reply.code(202), canonicalLedgerText(transaction))
    },
  )
}

const readTransaction = (body: unknown) => {
  if (!(body instanceof Uint8Array)) throw new FaceError(400, 'Failed to decode JSON object: no body')
  try {
    return verifyTransaction(readJson(body, { maxDepth }), nodePrimitives)
  } catch (error) {
    if (error instanceof InvalidTransaction) throw new FaceError(400, error.message)
    throw error
  }
}

const duplicate = (id: string, existing: string): FaceError => {
  const reason =
    id === existing
      ? `transaction \`${id}\` already exists`
      : `the certificate is recorded already, by transaction \`${existing}\``
  return new FaceError(400, `Invalid transaction (DuplicateTransaction): ${reason}`)
}
