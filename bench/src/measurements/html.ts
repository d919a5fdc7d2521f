import { readCertificate, renderHtml, selfCheck, toDocument } from '@millseal/families'
import { alternate, type Bench, costOf } from '../measuring.ts'
import { openPeer, openPublished } from '../published.ts'

/** Enough that our code is compiled by then, and that the garbage of theirs adds little to ours. */
const [ours, theirs, different] = [2_000, 15, 200]

/** A page of each published certificate, the same by the original system, and what it says about itself. */
export const measure = async ({ report }: Bench): Promise<void> => {
  const { entry, makeMany, what } = await openPublished()
  const all = makeMany(different).map((text) => ({ text, certificate: readCertificate(text) }))
  const at = (turn: number) => all[turn % different] as (typeof all)[number]
  const page = ({ certificate }: ReturnType<typeof at>): string => {
    const verification = { hash: certificate.hash, verifyUrl: 'https://example.org/verify' }
    return renderHtml(toDocument(certificate, entry), { mode: 'live', ...verification })
  }
  const peer = await openPeer('@s1seven/schema-tools-generate-html', 'generateHtml')
  const { medians, ratios } = await alternate({
    page: () => costOf(ours, (turn) => page(at(turn))),
    peer: () => costOf(theirs, (turn) => peer(at(turn).text)),
    check: () => costOf(ours, (turn) => selfCheck(at(turn).certificate)),
  })
  report.cpu(`a ${what} mapped and rendered as HTML`, medians.page, 'ms', { atMost: 0.5 })
  report.cpu('the same page by @s1seven/schema-tools-generate-html', medians.peer, 'ms')
  const toOurs = ratios('peer', 'page', 'cpuMicroseconds')
  report.ratio('processor time of HTML, theirs : ours', toOurs, { atLeast: 20 })
  report.cpu(`a ${what} checked against itself`, medians.check, 'ms', { atMost: 2 })
}
