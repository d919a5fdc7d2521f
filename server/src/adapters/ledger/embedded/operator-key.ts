import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import type { Mode } from '@millseal/contract'
import { didOf, type LedgerObject, signCreate, type SignedTransaction } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import type { Database, Query } from '../../../ports/database/database.ts'
import type { Keystore } from '../../../ports/keystore/keystore.ts'
import { LedgerUnavailable } from '../../../ports/ledger/ledger.ts'

/** The key with which the operator of a log signs reviews and corrections. It survives a new key of the log. */
export type OperatorKey = {
  /** Creates the key if there is none. */
  ensure(): Promise<string>
  /** Rejects with `LedgerUnavailable` before the key was created. */
  did(): Promise<string>
  /** A CREATE that is owned by the key. */
  sign(asset: LedgerObject): Promise<SignedTransaction>
}

type StoredKey = { readonly publicKey: Uint8Array; readonly encrypted: Uint8Array }

export const createOperatorKey = ({
  mode,
  database: { query },
  keystore,
}: {
  readonly mode: Mode
  readonly database: Database
  readonly keystore: Keystore
}): OperatorKey => {
  let known: StoredKey | undefined
  const read = async (): Promise<StoredKey> => {
    known ??= await findKey(query, mode)
    if (known === undefined) throw new LedgerUnavailable(`The ${mode} ledger has not been started yet`)
    return known
  }
  const didNow = async () => didOf(new Uint8Array((await read()).publicKey))
  return {
    async ensure() {
      if ((await findKey(query, mode)) === undefined) await insertKey(query, { mode, keystore })
      return await didNow()
    },
    did: didNow,
    async sign(asset) {
      const { publicKey, encrypted } = await read()
      const der = Buffer.from(keystore.decrypt(encrypted, contextOf(mode)))
      const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
      der.fill(0)
      const signer = {
        publicKey: new Uint8Array(publicKey),
        sign: (message: Uint8Array) => sign(null, message, privateKey),
      }
      return signCreate(asset, signer, nodePrimitives)
    },
  }
}

const contextOf = (mode: Mode): string => `ledger_logs/${mode}/operator`

const findKey = async (query: Query, mode: Mode): Promise<StoredKey | undefined> => {
  const row = await query
    .selectFrom('ledgerLogs')
    .select(['operatorPublicKey', 'encryptedOperatorKey'])
    .where('mode', '=', mode)
    .executeTakeFirst()
  if (row === undefined || row.operatorPublicKey === null || row.encryptedOperatorKey === null)
    return undefined
  return { publicKey: row.operatorPublicKey, encrypted: row.encryptedOperatorKey }
}

/** Two processes may do this at once: the first key is used. */
const insertKey = async (
  query: Query,
  { mode, keystore }: { readonly mode: Mode; readonly keystore: Keystore },
): Promise<void> => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const encrypted = keystore.encrypt(privateKey.export({ format: 'der', type: 'pkcs8' }), contextOf(mode))
  await query
    .updateTable('ledgerLogs')
    .set({
      operatorPublicKey: Buffer.from(x, 'base64url'),
      encryptedOperatorKey: Buffer.from(encrypted),
    })
    .where('mode', '=', mode)
    .where('operatorPublicKey', 'is', null)
    .execute()
}
