import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { PdfError, type PdfRequest } from '../request.ts'
import { environment } from './environment.ts'
import type { Answer, Order, Start } from './messages.ts'

export type RenderProcess = {
  /** One at a time. Rejects with a PdfError; after `timed_out` and `crashed` the process is gone. */
  readonly render: (request: PdfRequest, deadlineMs: number) => Promise<Rendered>
  readonly isAlive: () => boolean
  readonly end: () => Promise<void>
}

export type Rendered = { readonly pdf: Uint8Array; readonly residentBytes: number }

const program = fileURLToPath(new URL('main.ts', import.meta.url))
const keptOutput = 2_000

export const startRenderProcess = (start: Start): RenderProcess => {
  const child = fork(program, [JSON.stringify(start)], {
    env: environment,
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let lastWords = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-keptOutput)
  })
  const gone = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(`ended with ${signal ?? code} ${lastWords}`.trim()))
    child.once('error', (error) => resolve(error.message))
  })
  const ready = new Promise<void>((resolve) => {
    child.once('message', () => resolve())
  })
  let alive = true
  void gone.then(() => (alive = false))
  holdProcess(child, false)
  return {
    render: async (request, deadlineMs) => {
      holdProcess(child, true)
      const deadline = startDeadline(deadlineMs)
      try {
        const died = gone.then((how): never => {
          throw new PdfError('crashed', `The process that renders ${how}`)
        })
        await Promise.race([ready, died, deadline.passed])
        const answer = await Promise.race([exchange(child, { request }), died, deadline.passed])
        if ('pdf' in answer) return answer
        throw new PdfError(answer.failure, answer.message)
      } catch (error) {
        if (error instanceof PdfError && (error.failure === 'timed_out' || error.failure === 'crashed')) {
          alive = false
          child.kill('SIGKILL')
        }
        throw error
      } finally {
        deadline.clear()
        holdProcess(child, false)
      }
    },
    isAlive: () => alive,
    end: async () => {
      alive = false
      child.ref()
      child.kill('SIGKILL')
      await gone
    },
  }
}

type Spoken = Exclude<Answer, { readonly ready: true }>

const exchange = (child: ChildProcess, order: Order): Promise<Spoken> =>
  new Promise((resolve, reject) => {
    child.once('message', (answer: Spoken) => resolve(answer))
    child.send(order, (error) => {
      if (error !== null) reject(new PdfError('crashed', error.message))
    })
  })

/** An idle process keeps nobody from ending; one that works does. */
const holdProcess = (child: ChildProcess, isHeld: boolean): void => {
  if (isHeld) {
    child.ref()
    child.channel?.ref()
  } else {
    child.unref()
    child.channel?.unref()
  }
}

const startDeadline = (deadlineMs: number) => {
  let timer: NodeJS.Timeout | undefined
  const passed = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new PdfError('timed_out', `The PDF took longer than ${deadlineMs} ms`)),
      deadlineMs,
    )
  })
  passed.catch(() => undefined)
  return { passed, clear: () => clearTimeout(timer) }
}
