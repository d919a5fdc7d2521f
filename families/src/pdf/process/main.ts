import { Worker } from 'node:worker_threads'
import { openRender } from '../typst/render.ts'
import { PdfError } from '../request.ts'
import type { Answer, Order, Start } from './messages.ts'

/** A process that renders one document after the other, started by `render-process.ts` and ended with its parent. */
const [, , start] = process.argv
const { mostResidentBytes } = JSON.parse(start ?? '') as Start

// A call of the engine blocks this thread; another has to watch over it.
const watchdog = new Worker(new URL('watchdog.ts', import.meta.url), {
  workerData: { mostResidentBytes, parent: process.ppid },
  resourceLimits: { maxOldGenerationSizeMb: 16 },
})
watchdog.unref()

const render = openRender()
const answer = (message: Answer): void => {
  process.send?.(message)
}

process.on('disconnect', () => process.exit(0))
process.on('message', (order: Order) => {
  void answerTo(order).then(answer)
})

const answerTo = async ({ request }: Order): Promise<Answer> => {
  try {
    const pdf = await render(request)
    return { pdf, residentBytes: process.memoryUsage.rss() }
  } catch (error) {
    const failure = error instanceof PdfError ? error.failure : 'refused'
    const message = error instanceof Error ? error.message : String(error)
    return { failure, message, residentBytes: process.memoryUsage.rss() }
  }
}

answer({ ready: true })
