import { openFonts } from '../../../families/src/pdf/fonts.ts'
import { drawDocument } from '../../../families/src/pdf/page/draw-document.ts'
import { alternate, type Bench, costOf } from '../measuring.ts'
import { openPeer, openPublished } from '../published.ts'

/** Of a process; later our code is compiled. */
const early = 20
/** In each round. */
const [ours, large, theirs] = [150, 60, 15]

/** A published certificate → PDF/A-3a and PDF/UA-1 with its pictures and the JSON inside, and the same by the original system. */
export const measure = async ({ report }: Bench): Promise<void> => {
  const { make, openComposed, toRequest, what } = await openPublished()
  const fonts = openFonts()
  const render = (bytes: Buffer) => drawDocument(toRequest(bytes), { fonts, accent: undefined })
  const peer = await openPeer('@s1seven/schema-tools-generate-pdf', 'generatePdf')
  /** The certificates are made before the processor time is read. None is rendered twice. */
  const costOfNext = (count: number, makeOne: typeof make, work: (bytes: Buffer) => Promise<unknown>) => {
    let number = 0
    return () => {
      const texts = Array.from({ length: count }, () => makeOne((number += 1)))
      return costOf(count, (turn) => work(texts[turn] as Buffer))
    }
  }
  const first = await costOfNext(early, (number) => make(100_000 + number), render)()
  const { medians, ratios } = await alternate({
    ours: costOfNext(ours, make, render),
    large: costOfNext(large, openComposed(20, 30), render),
    peer: costOfNext(theirs, make, peer),
  })
  report.cpu(`${what} → PDF/A-3a and PDF/UA-1, with its pictures`, medians.ours, 'ms', { atMost: 8 })
  report.cpu(`… the first ${early} of a process`, first, 'ms')
  report.cpu('the same with 20 heats of 30 elements', medians.large, 'ms', { atMost: 25 })
  report.cpu('a published certificate by @s1seven/schema-tools-generate-pdf', medians.peer, 'ms')
  const toOurs = ratios('peer', 'ours', 'cpuMicroseconds')
  report.ratio('processor time of a PDF, theirs : ours', toOurs, { atLeast: 15 })
}
