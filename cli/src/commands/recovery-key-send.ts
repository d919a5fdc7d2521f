import { readFile } from 'node:fs/promises'
import type { RawTransaction } from '@millseal/contract'
import { readCorrection, readJson, signerOf, verifyTransaction } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { command } from '../frame/command.ts'
import { connectApplication } from './correction-options.ts'
import { accessHelp, credentialHelp, credentialOptions } from './credentials.ts'
import { serverOption } from './server-address.ts'

/** The ledger of Millseal. */
const coinType = 822
const maxDepth = 64

export const recoveryKeySend = command({
  args: ['file'],
  options: {
    mode: {
      value: '<mode>',
      required: true,
      among: ['test', 'live'],
      about: 'the mode of the application, and of the identity',
    },
    ...credentialOptions,
    server: serverOption,
  },
  description: `Records a revocation that millseal recovery-key sign printed. Within seconds the identity is revoked, its company gets the
events, and everybody who received certificates that the key signed since then gets a mail. An application of any company with
the scope transactions:send may do this.

${credentialHelp}
${accessHelp}`,
  examples: ['millseal recovery-key send revocation.json --mode live'],
  async run({ args: [file = ''], values: { mode, ...values }, environment }) {
    const { transaction, did, signer } = await readRevocation(file)
    const client = await connectApplication(values, environment)
    const sent = await client.sendTransaction({
      query: { mode, coinType },
      // The type of a verified transaction is read-only; the content is the same.
      body: transaction as unknown as RawTransaction,
    })
    return {
      result: sent,
      text: `The revocation of ${did}, signed by ${signer}, is recorded\n`,
    }
  },
})

const readRevocation = async (file: string) => {
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw new Error(`${file} does not exist, or cannot be read`, { cause })
  })
  try {
    const transaction = verifyTransaction(readJson(bytes, { maxDepth }), nodePrimitives)
    const correction = readCorrection(transaction)
    if (correction?.action === 'revoke-key')
      return { transaction, did: correction.did, signer: signerOf(transaction) }
  } catch (cause) {
    throw new Error(`${file} is not a signed revocation`, { cause })
  }
  throw new Error(`${file} is not a signed revocation`)
}
