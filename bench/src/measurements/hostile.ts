import { hostileDocuments, hostileForms, hostilePdfs } from '../../../server/test/attacks/documents.ts'
import { type Mill, startMill } from '../product.ts'
import { millisecondsOf } from '../rounds.ts'
import type { Bench } from '../row.ts'
import { median } from '../statistics.ts'

const rounds = 9

type Attack = {
  readonly name: string
  readonly path: string
  readonly type: string
  readonly body: string | Uint8Array<ArrayBuffer>
}

/** Each document is sent alone, to every operation that accepts its type, until it is refused or found unknown. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  await using mill = await startMill(folder)
  const notarize = `notarize?mode=test&identity=${mill.identity}`
  const paths = ['validate', 'render?type=html', 'render?type=pdf', 'verify?mode=test', notarize]
  const json = paths.flatMap((path) =>
    hostileDocuments.map(([name, body]): Attack => ({ name, path, type: 'application/json', body })),
  )
  const pdfs = hostilePdfs.map(
    ([name, body]): Attack => ({ name, path: 'verify?mode=test', type: 'application/pdf', body }),
  )
  const type = 'multipart/form-data; boundary=edge'
  const forms = hostileForms.map(
    (body, at): Attack => ({ name: `form ${at + 1}`, path: 'validate-file', type, body }),
  )
  for (const [what, attacks] of [
    ['JSON requests', json],
    ['PDFs to verify', pdfs],
    ['forms', forms],
  ] as const) {
    const { ms, name } = await slowestOf(mill, attacks)
    const label = `${attacks.length} hostile ${what}, each sent alone: the slowest`
    report.value(label, ms, 'ms', { goal: { atMost: 50 }, note: name })
  }
}

/** By the median of each: a moment in which the machine does something else does not count. */
const slowestOf = async (mill: Mill, attacks: readonly Attack[]): Promise<{ ms: number; name: string }> => {
  let worst = { ms: 0, name: '' }
  for (const attack of attacks) {
    const tookMs: number[] = []
    for (let round = 0; round < rounds; round += 1)
      tookMs.push(await millisecondsOf(() => send(mill, attack)))
    const ms = median(tookMs)
    if (ms > worst.ms) worst = { ms, name: `${attack.name}, ${attack.path.split('?', 1)[0]}` }
  }
  return worst
}

const send = async ({ url, headers }: Mill, { path, type, body }: Attack): Promise<void> => {
  const response = await fetch(`${url}/api/certificates/${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': type },
    body,
  })
  await response.arrayBuffer()
  if (response.status >= 500) throw new Error(`${path} answered ${response.status}`)
}
