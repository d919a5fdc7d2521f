import { certificateSubject } from '../status/subject.ts'
import {
  after,
  at,
  correct,
  did,
  identityOf,
  mill,
  one,
  recovery,
  sha256,
  thief,
  type Vector,
} from './cases.fixture.ts'
import { didOfOwner, record } from './log.fixture.ts'

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
  one('withdrawn by a stranger, which a log must refuse', 'unknownStatus', (opened) =>
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
  one('key revoked by a stranger, which a log must refuse', 'unknownStatus', (opened) =>
    after(opened, correct(thief, { action: 'revoke-key', did, since: at(5) })),
  ),
  one('withdrawn with a key that was revoked before', 'genuine', (opened) =>
    after(
      opened,
      correct(mill, { action: 'withdraw', transactionId: opened.certificate.id }),
      correct(opened.log.operator, { action: 'revoke-key', did, since: at(15) }),
    ),
  ),
  one('key revoked, then dated back by itself', 'genuine', (opened) =>
    after(
      opened,
      correct(opened.log.operator, { action: 'revoke-key', did, since: at(15) }),
      correct(mill, { action: 'revoke-key', did, since: at(5) }),
    ),
  ),
  one('key revoked by itself, then dated back by its recovery key', 'revoked', (opened) =>
    after(
      opened,
      correct(mill, { action: 'revoke-key', did, since: at(15) }),
      correct(recovery, { action: 'revoke-key', did, since: at(5) }),
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
  one(
    'a withdrawal of another certificate, listed for this one',
    'unknownStatus',
    ({ log, certificate, known }) => {
      const other = log.add(record(mill, { jsonHash: sha256('another') }), at(12))
      const withdrawal = correct(mill, { action: 'withdraw', transactionId: other.id })
      log.add(withdrawal, at(20), certificateSubject(certificate.id))
      return log.bundle(certificate, known, at(50)).then((bundle) => ({ bundle }))
    },
  ),
  one(
    'revoked by the recovery key of another identity',
    'unknownStatus',
    async ({ log, certificate, review }) => {
      log.add(correct(recovery, { action: 'revoke-key', did, since: at(5) }), at(20))
      const second = log.add(identityOf(mill, { recoveryDid: didOfOwner(thief) }), at(21))
      return { bundle: await log.bundle(certificate, { identity: second, review }, at(50)) }
    },
  ),
  one('withdrawn, then replaced', 'withdrawn', (opened) => {
    const next = opened.log.add(record(mill, { jsonHash: sha256('a later one') }), at(15))
    const { id } = opened.certificate
    return after(
      opened,
      correct(mill, { action: 'withdraw', transactionId: id }),
      correct(mill, { action: 'replace', transactionId: id, replacedBy: next.id }),
    )
  }),
  one('withdrawn at the time since which the key is revoked', 'genuine', (opened) =>
    after(
      opened,
      correct(mill, { action: 'withdraw', transactionId: opened.certificate.id }),
      correct(opened.log.operator, { action: 'revoke-key', did, since: at(20) }),
    ),
  ),
  one(
    'a correction without a time, which a log must not list',
    'unknownStatus',
    async ({ log, certificate, known }) => {
      log.add(correct(mill, { action: 'withdraw', transactionId: certificate.id }))
      return { bundle: await log.bundle(certificate, known, at(50)) }
    },
  ),
]
