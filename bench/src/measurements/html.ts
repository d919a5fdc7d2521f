import {
  checkCertificate,
  readCertificate,
  readRequirement,
  renderHtml,
  resolveRequirement,
  selfCheck,
  toDocument,
} from '@millseal/families'
import { alternate, type Bench, costOf } from '../measuring.ts'
import { openPeer, openPublished } from '../published.ts'

/** Enough that our code is compiled by then, and that the garbage of theirs adds little to ours. */
const [ours, theirs, different] = [2_000, 15, 200]

const share = (of: string, max: string) => ({ of, max, unit: '%' })

/** As an order has them: an analysis, a carbon equivalent, and tests that depend on the thickness. */
const requirement = readRequirement({
  name: 'Benchmark',
  rules: [
    ...['C', 'Si', 'Mn', 'P', 'S', 'Cu', 'Cr', 'Mo', 'Ni', 'V'].map((of) => share(of, '1.65')),
    { of: 'CEV', calculated: true, max: '0.45' },
    { of: 'yield strength', min: '350', unit: 'MPa', when: { thickness: { upTo: '16' } } },
    { of: 'yield strength', min: '340', unit: 'MPa', when: { thickness: { above: '16' } } },
    { of: 'Rm', min: '470', max: '630', unit: 'MPa' },
    { of: 'KV', unit: 'J', mean: { min: '27' }, each: { min: '19' }, atMost: { count: 1, below: '27' } },
    { anyOf: [share('N', '0.009'), { of: 'Al', min: '0.020', unit: '%' }] },
  ],
})

/** A page of each published certificate, the same by the original system, and what it says about itself. */
export const measure = async ({ report }: Bench): Promise<void> => {
  const { entry, makeMany, what } = await openPublished()
  const all = makeMany(different).map((text) => ({ text, certificate: readCertificate(text) }))
  const at = (turn: number) => all[turn % different] as (typeof all)[number]
  const page = ({ certificate }: ReturnType<typeof at>): string => {
    const verification = { hash: certificate.hash, verifyUrl: 'https://example.org/verify' }
    return renderHtml(toDocument(certificate, entry), { mode: 'live', ...verification })
  }
  const resolved = await resolveRequirement(requirement, async () => undefined)
  const peer = await openPeer('@s1seven/schema-tools-generate-html', 'generateHtml')
  const { medians, ratios } = await alternate({
    page: () => costOf(ours, (turn) => page(at(turn))),
    peer: () => costOf(theirs, (turn) => peer(at(turn).text)),
    check: () => costOf(ours, (turn) => selfCheck(at(turn).certificate)),
    required: () => costOf(ours, (turn) => checkCertificate(at(turn).certificate, resolved)),
  })
  report.cpu(`a ${what} mapped and rendered as HTML`, medians.page, 'ms', { atMost: 0.5 })
  report.cpu('the same page by @s1seven/schema-tools-generate-html', medians.peer, 'ms')
  const toOurs = ratios('peer', 'page', 'cpuMicroseconds')
  report.ratio('processor time of HTML, theirs : ours', toOurs, { atLeast: 20 })
  report.cpu(`a ${what} checked against itself`, medians.check, 'ms', { atMost: 2 })
  report.cpu(`a ${what} checked against a requirement`, medians.required, 'ms', { atMost: 2 })
}
