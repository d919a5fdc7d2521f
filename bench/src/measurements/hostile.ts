import { hostileDocuments, hostileForms, hostilePdfs } from '../../../server/test/attacks/documents.ts'
import { type Mill, openMill } from '../mill.ts'
import type { Measurement, Row } from '../row.ts'
import { median } from '../statistics.ts'

const rounds = 9

type Attack = {
  readonly name: string
  readonly path: string
  readonly type: string
  readonly body: string | Uint8Array<ArrayBuffer>
}

/** What nobody should have sent: how long it keeps the server until it is refused, or found unknown. */
export const hostile: Measurement = {
  name: 'hostile',
  async measure(workshop) {
    const mill = await openMill(await workshop.server('unlimited'))
    const paths = ['validate', 'render?type=html', 'render?type=pdf', 'verify?mode=test']
    const notarize = `notarize?mode=test&identity=${mill.identity}`
    const documents = [...paths, notarize].flatMap((path) =>
      hostileDocuments.map(([name, body]): Attack => ({ name, path, type: 'application/json', body })),
    )
    const pdfs = hostilePdfs.map(
      ([name, body]): Attack => ({ name, path: 'verify?mode=test', type: 'application/pdf', body }),
    )
    const forms = hostileForms.map(
      (body, at): Attack => ({
        name: `form ${at + 1}`,
        path: 'validate-file',
        type: 'multipart/form-data; boundary=edge',
        body,
      }),
    )
    return [
      await slowest(mill, `hostile JSON, ${documents.length} in turn: the slowest`, documents),
      await slowest(mill, `hostile PDFs to verify, ${pdfs.length}: the slowest`, pdfs),
      await slowest(mill, `hostile forms, ${forms.length}: the slowest`, forms),
    ]
  },
}

/** By the median of each, so that a moment in which the machine does something else is nobody's fault. */
const slowest = async (mill: Mill, what: string, attacks: readonly Attack[]): Promise<Row> => {
  let worst = { ms: 0, name: '' }
  for (const attack of attacks) {
    const tookMs: number[] = []
    for (let round = 0; round < rounds; round += 1) tookMs.push(await millisecondsOf(mill, attack))
    const ms = median(tookMs)
    if (ms > worst.ms) worst = { ms, name: `${attack.name}, ${attack.path.split('?', 1)[0]}` }
  }
  return { what, value: worst.ms, unit: 'ms', goal: { atMost: 50 }, note: worst.name }
}

const millisecondsOf = async ({ url, headers }: Mill, { path, type, body }: Attack): Promise<number> => {
  const before = performance.now()
  const response = await fetch(`${url}/api/certificates/${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': type },
    body,
  })
  await response.arrayBuffer()
  if (response.status >= 500) throw new Error(`${path} answered ${response.status}`)
  return performance.now() - before
}
