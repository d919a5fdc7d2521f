import type { Cryptoki } from './cryptoki.ts'

export type KeyPlace = { readonly cryptoki: Cryptoki; readonly session: Buffer; readonly label: string }

/** The handle is valid in this session. The id, a number that grows with every key, is part of each wrapped key. */
export type TokenKey = { readonly id: Buffer; readonly handle: Buffer }

const maxKeys = 100
const keyBytes = 32

/** The AES keys of this label, oldest first. */
export const findKeys = ({ cryptoki, session, label }: KeyPlace): TokenKey[] => {
  const { pkcs11, constants } = cryptoki
  pkcs11.C_FindObjectsInit(session, [
    { type: constants.CKA_CLASS, value: constants.CKO_SECRET_KEY },
    { type: constants.CKA_KEY_TYPE, value: constants.CKK_AES },
    { type: constants.CKA_LABEL, value: label },
  ])
  try {
    return pkcs11
      .C_FindObjects(session, maxKeys)
      .map((handle) => {
        const [attribute] = pkcs11.C_GetAttributeValue(session, handle, [{ type: constants.CKA_ID }])
        const id = attribute?.value
        return { id: Buffer.isBuffer(id) ? id : Buffer.alloc(0), handle }
      })
      .toSorted((one, other) => compare(numberOf(one.id), numberOf(other.id)))
  } finally {
    pkcs11.C_FindObjectsFinal(session)
  }
}

/** Creates a permanent AES-256 key that cannot be read or exported. */
export const makeKey = ({ cryptoki, session, label }: KeyPlace, before: readonly TokenKey[]): TokenKey => {
  const { pkcs11, constants } = cryptoki
  const newest = before.at(-1)
  const number = (newest === undefined ? 0n : numberOf(newest.id)) + 1n
  const id = Buffer.from(number.toString(16).padStart(16, '0'), 'hex')
  const handle = pkcs11.C_GenerateKey(session, { mechanism: constants.CKM_AES_KEY_GEN }, [
    { type: constants.CKA_CLASS, value: constants.CKO_SECRET_KEY },
    { type: constants.CKA_KEY_TYPE, value: constants.CKK_AES },
    { type: constants.CKA_VALUE_LEN, value: keyBytes },
    { type: constants.CKA_LABEL, value: label },
    { type: constants.CKA_ID, value: id },
    { type: constants.CKA_TOKEN, value: true },
    { type: constants.CKA_PRIVATE, value: true },
    { type: constants.CKA_SENSITIVE, value: true },
    { type: constants.CKA_EXTRACTABLE, value: false },
    { type: constants.CKA_ENCRYPT, value: true },
    { type: constants.CKA_DECRYPT, value: true },
  ])
  return { id, handle }
}

const numberOf = (id: Buffer): bigint => (id.length === 0 ? 0n : BigInt(`0x${id.toString('hex')}`))
const compare = (one: bigint, other: bigint): number => Number(one > other) - Number(one < other)
