import { Worker } from 'node:worker_threads'
import { openRender } from '../typst/render.ts'
import { PdfError } from '../request.ts'
import type { Order, Reply, Start } from './messages.ts'

/** Renders one document after the other. `render-process.ts` starts this process; it ends with its parent. */
const [, , start] = process.argv
const { maxResidentBytes, layouts } = JSON.parse(start ?? '') as Start

// A call of the engine blocks this thread, so another one watches it.
const watchdog = new Worker(new URL('watchdog.ts', import.meta.url), {
  workerData: { maxResidentBytes, parent: process.ppid },
  resourceLimits: { maxOldGenerationSizeMb: 16 },
})
watchdog.unref()

const render = openRender(layouts)
const send = (message: Reply): void => {
  process.send?.(message)
}

process.on('disconnect', () => process.exit(0))
process.on('message', (order: Order) => {
  void reply(order).then(send)
})

const reply = async ({ request }: Order): Promise<Reply> => {
  try {
    const pdf = await render(request)
    return { pdf, residentBytes: process.memoryUsage.rss() }
  } catch (error) {
    const failure = error instanceof PdfError ? error.failure : 'refused'
    const message = error instanceof Error ? error.message : String(error)
    return { failure, message, residentBytes: process.memoryUsage.rss() }
  }
}

send({ ready: true })
