import { setTimeout as pause } from 'node:timers/promises'
import { sampleCertificate } from '../../../server/test/certificates.ts'
import { load } from '../load.ts'
import { notarize, openMill } from '../mill.ts'
import type { Measurement } from '../row.ts'

/** As many as fit into what a process is started with. */
const different = 40

export const verifications: Measurement = {
  name: 'verifications',
  async measure(workshop) {
    const mill = await openMill(await workshop.server('unlimited'))
    const { pid, headers } = mill
    const url = `${mill.url}/api/certificates/verify?mode=test`
    const bodies = Array.from({ length: different }, () => JSON.stringify(sampleCertificate()))
    await Promise.all(bodies.map((body) => notarize(mill, body)))
    const isKnown = async (body: string): Promise<boolean> => {
      const response = await fetch(url, { method: 'POST', headers, body })
      return ((await response.json()) as { isValid: boolean }).isValid
    }
    for (const body of bodies) while (!(await isKnown(body))) await pause(50)
    const order = { url, method: 'POST', bodies } as const
    const unpaced = await load({ pid }, 200, { ...order, warmUpMs: 6_000 })
    const paced = await load({ pid }, 200, { ...order, perSecond: 1_500, warmUpMs: 1_500, ms: 4_000 })
    const what = `verify a JSON that is on the ledger, one of ${different}, 50 clients`
    return [
      { what, value: unpaced.perSecond, unit: '/s', goal: { atLeast: 1_500 } },
      { what: '… p99 of clients that never pause', value: unpaced.p99Ms, unit: 'ms' },
      { what: '… p99 at 1,500 a second', value: paced.p99Ms, unit: 'ms', goal: { atMost: 20 } },
      { what: '… processor time of the server per answer', value: paced.cpuMicroseconds, unit: 'µs' },
    ]
  },
}
