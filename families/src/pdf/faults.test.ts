import assert from 'node:assert/strict'
import { test } from 'node:test'
import { because } from '@millseal/contract/reasons'
import type { DocumentModel } from '../model/document.ts'
import { tooLongForPaper } from '../model/paper-limits.ts'
import { createPdfRenderer, type PdfRendererOptions } from './renderer.ts'
import { PdfError, type PdfRequest } from './request.ts'
import { sampleDocument, sampleRequest } from './testing/document.ts'

const soon = () => AbortSignal.timeout(120_000)

const withText = (text: string): DocumentModel => ({
  ...sampleDocument(),
  sections: [{ blocks: [{ kind: 'paragraph', text: [text] }] }],
})

/** Within the limits, and more work than the thread of a test may do. */
const heavy: PdfRequest = sampleRequest(withText('नमस्ते क्षत्रिय '.repeat(2_600)))

const rows = (count: number): DocumentModel => ({
  ...sampleDocument(),
  sections: [
    {
      blocks: [
        {
          kind: 'table',
          table: {
            columns: ['Heat', 'C', 'Si'].map((label, at) => ({
              label: [label],
              align: at === 0 ? 'start' : 'end',
            })),
            rows: Array.from({ length: count }, (_, at) => ({ cells: [`H-${at}`, '0.150', '1.20'] })),
          },
        },
      ],
    },
  ],
})

const failsWith = (failure: string) => (error: unknown) =>
  error instanceof PdfError && error.failure === failure

const openLogged = (options: Omit<PdfRendererOptions, 'log'>) => {
  const warnings: object[] = []
  return {
    renderer: createPdfRenderer({ ...options, log: { warn: (fields) => warnings.push(fields) } }),
    warnings,
  }
}

test('a document that takes too much processor time fails alone, and the next one is rendered', async () => {
  const { renderer, warnings } = openLogged({ workers: 1, processorMs: 0, checkEveryMs: 10 })
  await using _closing = renderer
  await assert.rejects(renderer.render(heavy, soon()), failsWith('timed_out'))
  assert.deepEqual(warnings, [
    { failure: 'timed_out', reason: 'The PDF took more than 0 ms of processor time' },
  ])
  const { renderer: patient } = openLogged({ workers: 1 })
  await using _closingToo = patient
  assert.ok((await patient.render(sampleRequest(), soon())).length > 1_000)
})

test('a document that needs too much memory fails alone', async () => {
  const { renderer, warnings } = openLogged({ workers: 1, maxHeapMegabytes: 24 })
  await using _closing = renderer
  const large = sampleRequest(rows(6_600))
  const failing = assert.rejects(renderer.render(large, soon()), failsWith('crashed'))
  await failing
  assert.equal((warnings[0] as { failure: string }).failure, 'crashed')
  assert.ok((await renderer.render(sampleRequest(), soon())).length > 1_000)
})

test('a document is rejected if too many are waiting', async () => {
  const { renderer } = openLogged({ workers: 1, maxWaiting: 2 })
  await using _closing = renderer
  const accepted = [1, 2, 3].map(() => renderer.render(sampleRequest(), soon()))
  await assert.rejects(renderer.render(sampleRequest(), soon()), failsWith('busy'))
  await Promise.all(accepted)
})

test('a caller that aborts does not wait for the document', async () => {
  const { renderer } = openLogged({ workers: 1 })
  await using _closing = renderer
  const given = [heavy, sampleRequest()].map((request) => {
    const controller = new AbortController()
    return {
      controller,
      outcome: renderer.render(request, controller.signal).catch((error: unknown) => error),
    }
  })
  for (const { controller } of given) controller.abort(new Error('not wanted'))
  for (const { outcome } of given) assert.match(String(await outcome), /not wanted/)
})

test('closing ends running and waiting documents', async () => {
  const { renderer } = openLogged({ workers: 1 })
  const running = renderer.render(heavy, soon()).catch((error: unknown) => error)
  const waiting = renderer.render(sampleRequest(), soon()).catch((error: unknown) => error)
  await renderer[Symbol.asyncDispose]()
  assert.ok(failsWith('crashed')(await running))
  assert.ok(failsWith('busy')(await waiting))
  await assert.rejects(renderer.render(sampleRequest(), soon()), failsWith('busy'))
})

test('a document that is too long for paper is refused before it is drawn', async () => {
  const { renderer } = openLogged({ workers: 1 })
  await using _closing = renderer
  for (const document of [
    withText('a\n'.repeat(100_000)),
    withText('a b '.repeat(100_001)),
    withText('บริษัทเหล็ก'.repeat(10_000)),
    withText('钢铁股份有限公司'.repeat(5_001)),
    withText('한국철강'.repeat(10_001)),
    withText('🚀'.repeat(40_001)),
    rows(25_000),
  ]) {
    await assert.rejects(renderer.render(sampleRequest(document), soon()), (error) => {
      assert.ok(error instanceof PdfError)
      assert.equal(error.failure, 'refused')
      assert.match(
        error.message,
        /^The document is too long for paper: it has \d+ (?:texts|characters|marks and characters of scripts other than Latin, Greek and Cyrillic|lines), and \d+ can/,
      )
      return true
    })
  }
})

test('a certificate that is too long for paper has a finding that names the place', () => {
  const excess = {
    a: { 'b/c': Array.from({ length: 10_000 }, (_, at) => ({ heat: `H-${at}`, c: 0.15, si: 1.2 })) },
  }
  assert.deepEqual(tooLongForPaper(excess, 'certificate'), {
    pointer: '/a/b~1c',
    reason: because('too_long_for_paper', { count: 30_000, what: because('paper_texts'), most: 20_000 }),
  })
  assert.equal(
    tooLongForPaper({ picture: `data:image/png;base64,${'A'.repeat(900_000)}` }, 'certificate'),
    undefined,
  )
})

test('a letter with 39,000 marks is spelled; documents near the limits are drawn', async () => {
  const { renderer } = openLogged({ workers: 1 })
  await using _closing = renderer
  const documents = [
    withText(`a${'\u0301'.repeat(39_000)}`),
    withText('钢铁股份有限公司'.repeat(4_999)),
    withText('한국철강 '.repeat(9_999)),
    withText('Prüfbescheinigung ≤ ⌀ № '.repeat(16_000)),
    rows(6_600),
  ]
  for (const document of documents)
    assert.ok((await renderer.render(sampleRequest(document), soon())).length > 1_000)
})
