import { readCertificate, renderHtml, toDocument, validate } from '../../../families/src/index.ts'
import { openPeer } from '../peer.ts'
import { openPublished } from '../published.ts'
import { alternate, costOf } from '../rounds.ts'
import type { Bench } from '../row.ts'

const different = 200
/** Enough that our code is compiled by then. */
const repetitions = { ours: 400, peer: 15 }

/** Reading, validating and rendering published certificates, and the same page by the original system. */
export const measure = async ({ report }: Bench): Promise<void> => {
  const published = await openPublished(report)
  if (published === undefined) return
  const { entry, make, kilobytes } = published
  const texts = Array.from({ length: different }, (_, number) => make(number))
  const certificates = texts.map((text) => readCertificate(text))
  const at = <T>(list: readonly T[], turn: number): T => list[turn % list.length] as T
  const page = (turn: number): string => {
    const certificate = at(certificates, turn)
    const verifyUrl = 'https://example.org/verify'
    return renderHtml(toDocument(certificate, entry), { mode: 'live', hash: certificate.hash, verifyUrl })
  }
  const peer = await openPeer(report, { name: '@s1seven/schema-tools-generate-html', verb: 'generateHtml' })
  const peerPage = async (turn: number): Promise<void> => {
    const html = await peer?.(at(texts, turn))
    if (html?.includes('Validation') !== true) throw new Error('The peer rendered no certificate')
  }
  const { rounds, median } = await alternate({
    read: () => costOf(repetitions.ours, (turn) => readCertificate(at(texts, turn))),
    validate: () => costOf(repetitions.ours, (turn) => validate(at(certificates, turn), entry)),
    page: () => costOf(repetitions.ours, page),
    peer: async () => (peer === undefined ? Number.NaN : costOf(repetitions.peer, peerPage)),
  })
  const what = `published certificate of ${kilobytes} KB`
  report.cpu(`${what}: read, made canonical and hashed`, median.read, 'ms')
  report.cpu('… validated', median.validate, 'ms')
  report.cpu('… rendered as HTML', median.page, 'ms')
  if (peer === undefined) return
  report.cpu('the same page by @s1seven/schema-tools-generate-html', median.peer, 'ms')
  const ratios = rounds.map((round) => round.peer / round.page)
  report.ratio('processor time of HTML, theirs : ours', ratios, { goal: { atLeast: 20 } })
}
