import { createTestLog } from './log.fixture.ts'
import type { JsonValue } from '../json/read.ts'
import { ownerOf } from '../ledger/owners.fixture.ts'
import {
  type Vector,
  jsonHash,
  pdfHash,
  at,
  mill,
  did,
  identityOf,
  type Opened,
  policyOf,
  one,
  members,
  asJson,
} from './cases.fixture.ts'

export const format1: readonly (() => Promise<Vector>)[] = [
  one('format 1: at most the issuer is not known', 'unknownIssuer', (opened) => asFormat1(opened)),
  one('format 1: an issuer of the policy', 'unknownStatus', async (opened) => ({
    ...(await asFormat1(opened)),
    policy: policyOf(opened, { issuers: [{ did, name: 'Our mill' }] }),
  })),
  one('format 1: its copies are ignored', 'unknownIssuer', async (opened) => {
    const { bundle } = await asFormat1(opened)
    return { bundle: { ...members(bundle), timestamp: at(0), jsonHash: pdfHash, anchors: ['x'] } }
  }),
]

/** As versions before 0.2 wrote it, with an identity that is not on the log. */
const asFormat1 = async (opened: Opened): Promise<{ readonly bundle: JsonValue }> => {
  const log = createTestLog('mill.example/ledger/live', { hasStatus: false })
  log.add(identityOf(ownerOf(11)))
  log.add(opened.certificate)
  const { entry, proof } = members(await log.bundle(opened.certificate))
  const { transaction } = members(entry ?? null)
  return {
    bundle: {
      formatVersion: 1,
      mode: 'live',
      algorithm: 'sha256',
      jsonHash,
      pdfHash,
      timestamp: at(9),
      transaction: transaction ?? null,
      identity: {
        did,
        publicKey: mill.publicKey,
        company: 'A well-known mill',
        transaction: asJson(identityOf()),
      },
      tlogProof: proof ?? '',
      anchors: [],
    },
  }
}
