import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { PdfError, type PdfRequest } from '../request.ts'
import { environment } from './environment.ts'
import type { Order, Reply, Start } from './messages.ts'

export type RenderProcess = {
  /** Renders one document at a time. Rejects with a PdfError; after `timed_out` and `crashed` the process has ended. */
  readonly render: (request: PdfRequest, deadlineMs: number) => Promise<Rendered>
  readonly isAlive: () => boolean
  readonly end: () => Promise<void>
}

export type Rendered = { readonly pdf: Uint8Array; readonly residentBytes: number }

const program = fileURLToPath(new URL('main.ts', import.meta.url))
const maxErrorOutput = 2_000

export const startRenderProcess = (start: Start): RenderProcess => {
  const child = forkProgram(start)
  let errorOutput = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errorOutput = (errorOutput + text).slice(-maxErrorOutput)
  })
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(`ended with ${signal ?? code} ${errorOutput}`.trim()))
    child.once('error', (error) => resolve(error.message))
  })
  const ready = new Promise<void>((resolve) => {
    child.once('message', () => resolve())
  })
  let alive = true
  // Fails the current rendering. A promise as old as the process would keep every PDF that it was raced with in memory.
  let fail: ((error: PdfError) => void) | undefined
  const died = (how: string): PdfError => new PdfError('crashed', `The rendering process ${how}`)
  void exited.then((how) => {
    alive = false
    fail?.(died(how))
  })
  keepServerRunning(child, false)
  return {
    render: async (request, deadlineMs) => {
      if (!alive) throw died('has ended')
      keepServerRunning(child, true)
      const { promise: failed, reject } = Promise.withResolvers<never>()
      failed.catch(() => undefined)
      fail = reject
      const late = new PdfError('timed_out', `The PDF took longer than ${deadlineMs} ms`)
      const timer = setTimeout(() => reject(late), deadlineMs)
      try {
        await Promise.race([ready, failed])
        const answer = await Promise.race([exchange(child, { request }), failed])
        if ('pdf' in answer) return answer
        throw new PdfError(answer.failure, answer.message)
      } catch (error) {
        if (error instanceof PdfError && (error.failure === 'timed_out' || error.failure === 'crashed')) {
          alive = false
          child.kill('SIGKILL')
        }
        throw error
      } finally {
        clearTimeout(timer)
        fail = undefined
        keepServerRunning(child, false)
      }
    },
    isAlive: () => alive,
    end: async () => {
      alive = false
      child.ref()
      child.kill('SIGKILL')
      await exited
    },
  }
}

const forkProgram = (start: Start): ChildProcess =>
  fork(program, [JSON.stringify(start)], {
    env: environment,
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })

type Outcome = Exclude<Reply, { readonly ready: true }>

const exchange = (child: ChildProcess, order: Order): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    child.once('message', (answer: Outcome) => resolve(answer))
    child.send(order, (error) => {
      if (error !== null) reject(new PdfError('crashed', error.message))
    })
  })

/** An idle process does not keep the server running; a busy one does. */
const keepServerRunning = (child: ChildProcess, isBusy: boolean): void => {
  if (isBusy) {
    child.ref()
    child.channel?.ref()
  } else {
    child.unref()
    child.channel?.unref()
  }
}
