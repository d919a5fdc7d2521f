import { openFonts } from '../../../families/src/pdf/fonts.ts'
import { drawDocument } from '../../../families/src/pdf/page/draw-document.ts'
import { openPeer } from '../peer.ts'
import { openPublished } from '../published.ts'
import { alternate, type Cost, costOf } from '../rounds.ts'
import type { Bench } from '../row.ts'

const perRound = 5

/** A published certificate → PDF/A-3a and PDF/UA-1 with its pictures and the JSON inside, and the same by the original system. */
export const measure = async ({ report }: Bench): Promise<void> => {
  const { make, toRequest, what } = await openPublished()
  const fonts = openFonts()
  const render = async (bytes: Buffer): Promise<unknown> => {
    const request = toRequest(bytes)
    return drawDocument(request, { fonts, accent: undefined })
  }
  const peer = await openPeer('@s1seven/schema-tools-generate-pdf', 'generatePdf')
  /** Both render the same certificates in each round, and none twice. */
  const costOfNext = (work: (bytes: Buffer) => Promise<unknown>): (() => Promise<Cost>) => {
    let number = 0
    return () => {
      const texts = Array.from({ length: perRound }, () => make((number += 1)))
      return costOf(perRound, (turn) => work(texts[turn] as Buffer))
    }
  }
  const { medians, ratios } = await alternate({
    ours: costOfNext(render),
    peer: costOfNext(peer),
  })
  report.cpu(`${what} → PDF/A-3a and PDF/UA-1, with its pictures`, medians.ours, 'ms', {
    goal: { atMost: 8 },
  })
  report.cpu('the same by @s1seven/schema-tools-generate-pdf', medians.peer, 'ms')
  const toOurs = ratios(({ peer: theirs, ours }) => theirs.cpuMicroseconds / ours.cpuMicroseconds)
  report.ratio('processor time of a PDF, theirs : ours', toOurs, { goal: { atLeast: 15 } })
}
