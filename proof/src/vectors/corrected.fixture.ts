import { record } from './log.fixture.ts'
import { type Vector, sha256, at, mill, thief, recovery, did, correct, one, after } from './cases.fixture.ts'

export const corrected: readonly (() => Promise<Vector>)[] = [
  one('withdrawn by the issuer', 'withdrawn', (opened) =>
    after(opened, correct(mill, { action: 'withdraw', transactionId: opened.certificate.id })),
  ),
  one('withdrawn by the operator', 'withdrawn', (opened) =>
    after(opened, correct(opened.log.operator, { action: 'withdraw', transactionId: opened.certificate.id })),
  ),
  one('replaced', 'replaced', (opened) => {
    const next = opened.log.add(record(mill, { jsonHash: sha256('a later one') }), at(15))
    return after(
      opened,
      correct(mill, { action: 'replace', transactionId: opened.certificate.id, replacedBy: next.id }),
    )
  }),
  one('replaced, then withdrawn', 'withdrawn', (opened) => {
    const next = opened.log.add(record(mill, { jsonHash: sha256('a later one') }), at(15))
    return after(
      opened,
      correct(mill, { action: 'replace', transactionId: opened.certificate.id, replacedBy: next.id }),
      correct(mill, { action: 'withdraw', transactionId: opened.certificate.id }),
    )
  }),
  one('withdrawn by a stranger, which a log must refuse', 'genuine', (opened) =>
    after(opened, correct(thief, { action: 'withdraw', transactionId: opened.certificate.id })),
  ),
  one(
    'a withdrawn test certificate',
    'withdrawn',
    (opened) => after(opened, correct(mill, { action: 'withdraw', transactionId: opened.certificate.id })),
    'mill.example/ledger/test',
  ),
  one('key revoked since before the certificate', 'revoked', (opened) =>
    after(opened, correct(opened.log.operator, { action: 'revoke-key', did, since: at(10) })),
  ),
  one('key revoked since after the certificate', 'genuine', (opened) =>
    after(opened, correct(opened.log.operator, { action: 'revoke-key', did, since: at(11) })),
  ),
  one('key revoked by itself', 'revoked', (opened) =>
    after(opened, correct(mill, { action: 'revoke-key', did, since: at(5) })),
  ),
  one('key revoked by its recovery key', 'revoked', (opened) =>
    after(opened, correct(recovery, { action: 'revoke-key', did, since: at(5) })),
  ),
  one('key revoked by a stranger, which a log must refuse', 'genuine', (opened) =>
    after(opened, correct(thief, { action: 'revoke-key', did, since: at(5) })),
  ),
  one('withdrawn with a key that was revoked before', 'genuine', (opened) =>
    after(
      opened,
      correct(mill, { action: 'withdraw', transactionId: opened.certificate.id }),
      correct(opened.log.operator, { action: 'revoke-key', did, since: at(15) }),
    ),
  ),
  one('withdrawn by the operator after the key was revoked', 'withdrawn', (opened) =>
    after(
      opened,
      correct(opened.log.operator, { action: 'revoke-key', did, since: at(15) }),
      correct(opened.log.operator, { action: 'withdraw', transactionId: opened.certificate.id }),
    ),
  ),
  one('another certificate was withdrawn', 'genuine', (opened) => {
    const other = opened.log.add(record(mill, { jsonHash: sha256('another') }), at(12))
    return after(opened, correct(mill, { action: 'withdraw', transactionId: other.id }))
  }),
]
