import { layouts } from '../../../families/src/families/index.ts'
import { readCertificate, toDocument } from '../../../families/src/index.ts'
import { openPeer } from '../peer.ts'
import { openPublished } from '../published.ts'
import { alternate, costOf } from '../rounds.ts'
import type { Bench } from '../row.ts'

const perRound = 5

/** A published certificate → PDF/A-3a with its pictures and the JSON inside, and the same by the original system. */
export const measure = async ({ report }: Bench): Promise<void> => {
  const published = await openPublished(report)
  if (published === undefined) return
  const { entry, make, kilobytes } = published
  // As in the rendering processes of a server.
  process.env['RAYON_NUM_THREADS'] = '1'
  const { openRender } = await import('../../../families/src/pdf/typst/render.ts')
  const render = openRender(layouts)
  const ours = async (bytes: Buffer): Promise<void> => {
    const certificate = readCertificate(bytes)
    const { hash } = certificate
    const document = toDocument(certificate, entry)
    const verifyUrl = `https://example.org/verify/${hash}`
    await render({ document, mode: 'live', certificateBytes: bytes, hash, verifyUrl })
  }
  const peer = await openPeer(report, { name: '@s1seven/schema-tools-generate-pdf', verb: 'generatePdf' })
  const peerPdf = async (bytes: Buffer): Promise<void> => {
    const pdf = await peer?.(bytes)
    if (pdf === undefined || pdf.length < 10_000) throw new Error('The peer rendered no certificate')
  }
  // Both render the same certificates in each round, and none twice.
  const numbers = { ours: 0, peer: 0 }
  const costOfNext = (side: 'ours' | 'peer', work: (bytes: Buffer) => Promise<void>): Promise<number> => {
    const texts = Array.from({ length: perRound }, () => make((numbers[side] += 1)))
    return costOf(perRound, (turn) => work(texts[turn] ?? Buffer.alloc(0)))
  }
  const { rounds, median } = await alternate({
    ours: () => costOfNext('ours', ours),
    peer: async () => (peer === undefined ? Number.NaN : costOfNext('peer', peerPdf)),
  })
  const what = `published certificate of ${kilobytes} KB → PDF/A-3a, with its pictures`
  report.cpu(what, median.ours, 'ms', { goal: { atMost: 8 } })
  if (peer === undefined) return
  report.cpu('the same by @s1seven/schema-tools-generate-pdf', median.peer, 'ms')
  const ratios = rounds.map((round) => round.peer / round.ours)
  report.ratio('processor time of a PDF, theirs : ours', ratios, { goal: { atLeast: 15 } })
}
