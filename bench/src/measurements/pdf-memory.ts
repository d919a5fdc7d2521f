import { layouts } from '../../../families/src/families/index.ts'
import { startRenderProcess } from '../../../families/src/pdf/process/render-process.ts'
import { openPublished } from '../published.ts'
import type { Bench } from '../row.ts'

const [early, renders] = [500, 5_000]

/** More certificates than a rendering process of a server gets before it is restarted. */
export const measure = async ({ report }: Bench): Promise<void> => {
  const { make, toRequest } = await openPublished()
  const child = startRenderProcess({ maxResidentBytes: 800 * 1_024 * 1_024, layouts })
  const megabytes: number[] = []
  for (let number = 0; number < renders; number += 1)
    megabytes.push((await child.render(toRequest(make(number)), 20_000)).residentBytes / 1_000_000)
  await child.end()
  const first = Math.max(...megabytes.slice(0, early))
  const last = Math.max(...megabytes.slice(-early))
  const what = 'maximum memory of a rendering process'
  report.value(`${what}, the first ${early} published certificates, all different`, first, 'MB')
  report.value(`… the last ${early} of ${renders}`, last, 'MB')
  report.value('… last : first', last / first, '×', { goal: { atMost: 1.15 } })
}
