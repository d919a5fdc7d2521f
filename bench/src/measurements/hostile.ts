import { hostileDocuments, hostileForms, hostilePdfs } from '../../../server/test/attacks/documents.ts'
import { type Bench, repeat } from '../measuring.ts'
import { send, startMill } from '../product.ts'

/** Each document is sent alone, to every operation that accepts its type, until it is refused or found unknown. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  await using mill = await startMill(folder)
  const notarize = `notarize?mode=test&identity=${mill.identity}`
  const paths = ['validate', 'render?type=html', 'render?type=pdf', 'verify?mode=test', notarize]
  const forms = hostileForms.map((body, at) => [`form ${at + 1}`, body] as const)
  for (const [what, type, operations, documents] of [
    ['JSON requests', 'application/json', paths, hostileDocuments],
    ['PDFs to verify', 'application/pdf', ['verify?mode=test'], hostilePdfs],
    ['forms', 'multipart/form-data; boundary=edge', ['validate-file'], forms],
  ] as const) {
    const headers = { ...mill.headers, 'content-type': type }
    const attacks = operations.flatMap((path) => documents.map(([name, body]) => ({ path, name, body })))
    let worst = { ms: 0, note: '' }
    for (const { path, name, body } of attacks) {
      const url = `${mill.url}/api/certificates/${path}`
      // The median: a moment in which the machine does something else does not count.
      const { p50Ms } = await repeat(() => send(url, { headers, body }), { times: 9 })
      if (p50Ms > worst.ms) worst = { ms: p50Ms, note: `${name}, ${path.split('?', 1)[0]}` }
    }
    const label = `${attacks.length} hostile ${what}, each sent alone: the slowest`
    report.value(label, worst.ms, 'ms', { atMost: 50, note: worst.note })
  }
}
