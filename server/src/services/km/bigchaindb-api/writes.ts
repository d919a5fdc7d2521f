import { canonicalLedgerText } from '@millseal/proof'
import type { FastifyInstance } from 'fastify'
import type { LedgerFaceSource } from '../../../ports/ledger/ledger-face.ts'
import { BigchaindbError, sendJson } from './bigchaindb-error.ts'
import { asMode, optional } from './query.ts'
import { readStrangersTransaction } from './read-transaction.ts'
import { queryOf } from './reads.ts'
import { deadlineSignal } from '../../../lib/deadline.ts'

/** A transaction has at most 65,535 bytes in its canonical form; white space counts against this limit too. */
export const largestBodyBytes = 64 * 1024
const deadlineMs = 20_000

/**
 * BigchainDB answers before (`async`), during (`sync`) or after (`commit`) consensus. Here every answer means that the
 * transaction is in the log, which takes milliseconds and satisfies all three modes.
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
      if (!isOpen)
        throw new BigchaindbError(403, 'This ledger accepts transactions only from its own service')
      optional(queryOf(request), 'mode', asMode)
      const transaction = readStrangersTransaction(request.body)
      const { entry, isNew } = await ledger().submit(transaction, deadlineSignal(deadlineMs))
      if (!isNew) throw duplicate(transaction.id, entry.transaction.id)
      return sendJson(reply.code(202), canonicalLedgerText(transaction))
    },
  )
}

const duplicate = (id: string, existing: string): BigchaindbError => {
  const reason =
    id === existing
      ? `transaction \`${id}\` already exists`
      : `the certificate is already recorded by transaction \`${existing}\``
  return new BigchaindbError(400, `Invalid transaction (DuplicateTransaction): ${reason}`)
}
