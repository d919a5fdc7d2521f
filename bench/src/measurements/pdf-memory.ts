import { createPdfRenderer } from '@millseal/families'
import { silentLog } from '../../../server/test/silent-log.ts'
import type { Bench } from '../measuring.ts'
import { openPublished } from '../published.ts'

const [early, renders] = [500, 5_000]

/** The memory of a process with one rendering thread. */
export const measure = async ({ report }: Bench): Promise<void> => {
  const { make, toRequest } = await openPublished()
  await using renderer = createPdfRenderer({ workers: 1, log: silentLog })
  const megabytes: number[] = []
  for (let number = 0; number < renders; number += 1) {
    await renderer.render(toRequest(make(number)), AbortSignal.timeout(20_000))
    megabytes.push(process.memoryUsage.rss() / 1_000_000)
  }
  const first = Math.max(...megabytes.slice(0, early))
  const last = Math.max(...megabytes.slice(-early))
  const what = 'maximum memory of a process with a rendering thread'
  report.value(`${what}, the first ${early} published certificates, all different`, first, 'MB')
  report.value(`… the last ${early} of ${renders}`, last, 'MB')
  report.value('… last : first', last / first, '×', { atMost: 1.15 })
}
