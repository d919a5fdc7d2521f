import assert from 'node:assert/strict'
import { test } from 'node:test'
import { modeOf } from './mode.ts'
import { type Answer, type Answers, exitCodeOf, offlineVerdict, verdictOf } from './verdict.ts'

const yes: Answers = { unchanged: 'yes', issuer: 'yes', time: 'yes', status: 'yes' }
const confirmed = { isUnconfirmed: false, isStatusOld: false }
const corrections = ['withdrawn', 'replaced', 'revoked'] as const

test('only a certificate that is unchanged, by a known issuer and still valid is genuine, with exit code 0', () => {
  const answers: readonly Answer[] = ['yes', 'no', 'unknown']
  for (const unchanged of answers)
    for (const issuer of answers)
      for (const status of ['yes', 'unknown'] as const)
        for (const mode of ['live', 'test', undefined] as const)
          for (const correction of [undefined, ...corrections]) {
            const given = { ...yes, unchanged, issuer, status }
            const verdict = verdictOf({ answers: given, mode, correction })
            const isGenuine = `${unchanged} ${issuer} ${status}` === 'yes yes yes' && mode !== 'test'
            assert.equal(verdict === 'genuine', isGenuine && correction === undefined)
            const code = exitCodeOf(verdict, { issuer, status, ...confirmed, isTestWanted: false })
            assert.equal(code === 0, verdict === 'genuine')
          }
})

test('what is wrong with the file comes before what is wrong with its status, and that before the issuer', () => {
  const of = (answers: Partial<Answers>, correction?: (typeof corrections)[number]) =>
    verdictOf({ answers: { ...yes, ...answers }, mode: 'test', correction })
  assert.equal(of({ unchanged: 'no' }, 'withdrawn'), 'altered')
  assert.equal(of({ unchanged: 'unknown' }, 'withdrawn'), 'unchecked')
  assert.equal(of({ issuer: 'no' }, 'replaced'), 'replaced')
  assert.equal(of({ issuer: 'no' }), 'refused')
  assert.equal(of({ issuer: 'unknown' }), 'test')
})

test('a test certificate is accepted only if a test was asked for, and issuer and status are known', () => {
  const code = (issuer: Answer, isTestWanted: boolean, status: Answer = 'yes') =>
    exitCodeOf('test', { issuer, status, ...confirmed, isTestWanted })
  assert.deepEqual([code('yes', true), code('yes', false), code('unknown', true)], [0, 3, 3])
  assert.equal(code('yes', true, 'unknown'), 3)
})

test('an old status and a missing quorum make only of a genuine certificate another verdict, and of an accepted test another exit code', () => {
  const old = { isUnconfirmed: false, isStatusOld: true }
  const both = { isUnconfirmed: true, isStatusOld: true }
  assert.equal(offlineVerdict('genuine', old), 'oldStatus')
  assert.equal(offlineVerdict('genuine', both), 'unconfirmed')
  assert.equal(offlineVerdict('genuine', confirmed), 'genuine')
  for (const verdict of [
    'test',
    'unknownIssuer',
    'unknownStatus',
    'refused',
    'withdrawn',
    'altered',
  ] as const)
    assert.equal(offlineVerdict(verdict, both), verdict)
  const code = (lacking: typeof old, isTestWanted: boolean, issuer: Answer = 'yes') =>
    exitCodeOf('test', { issuer, status: 'yes', ...lacking, isTestWanted })
  assert.deepEqual([code(old, true), code(old, false), code(old, true, 'unknown')], [6, 3, 3])
  assert.deepEqual([code(both, true), code(both, false)], [3, 3])
})

test('each verdict has the exit code of the documentation', () => {
  const codes = {
    altered: 1,
    notFound: 1,
    unknownIssuer: 3,
    unknownStatus: 3,
    refused: 3,
    unconfirmed: 3,
    revoked: 4,
    withdrawn: 4,
    replaced: 4,
    unchecked: 5,
    oldStatus: 6,
  } as const
  for (const [verdict, code] of Object.entries(codes))
    assert.equal(
      exitCodeOf(verdict as keyof typeof codes, { ...yes, ...confirmed, isTestWanted: true }),
      code,
    )
})

test('the mode is part of the name of a log', () => {
  assert.equal(modeOf('mill.example/ledger/test'), 'test')
  assert.equal(modeOf('mill.example/ledger/test/12'), 'test')
  assert.equal(modeOf('mill.example/ledger/live/2'), 'live')
  for (const other of [
    'mill.example/ledger/testing',
    'mill.example/ledger/test/x',
    'ledger/',
    'mill.example',
  ])
    assert.equal(modeOf(other), undefined)
})
