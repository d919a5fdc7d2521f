import { readCertificate, renderHtml, toDocument, validate } from '@millseal/families'
import { openPeer } from '../peer.ts'
import { openPublished } from '../published.ts'
import { alternate, costOf } from '../rounds.ts'
import type { Bench } from '../row.ts'

/** Enough that our code is compiled by then, and that the garbage of theirs adds little to ours. */
const [ours, theirs, different] = [2_000, 15, 200]

/** Reading, validating and rendering published certificates, and the same page by the original system. */
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
    read: () => costOf(ours, (turn) => readCertificate(at(turn).text)),
    validate: () => costOf(ours, (turn) => validate(at(turn).certificate, entry)),
    page: () => costOf(ours, (turn) => page(at(turn))),
    peer: () => costOf(theirs, (turn) => peer(at(turn).text)),
  })
  report.cpu(`${what}: read, made canonical and hashed`, medians.read, 'ms')
  report.cpu('… validated', medians.validate, 'ms')
  report.cpu('… rendered as HTML', medians.page, 'ms', { goal: { atMost: 0.5 } })
  report.cpu('the same page by @s1seven/schema-tools-generate-html', medians.peer, 'ms')
  const toOurs = ratios((round) => round.peer.cpuMicroseconds / round.page.cpuMicroseconds)
  report.ratio('processor time of HTML, theirs : ours', toOurs, { goal: { atLeast: 20 } })
}
