import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { SignedTransaction } from '@millseal/proof'
import { bundled } from './bundled.ts'
import type { LedgerInstallation } from './ledger-installation.ts'

export type Answer = { readonly id: string; readonly index: number | undefined }

/** A separate process of the same installation, to be killed or stopped. */
export class LedgerWorker implements AsyncDisposable {
  readonly #child: ChildProcess
  readonly #ended: Promise<unknown>
  readonly #ready = Promise.withResolvers<void>()

  private constructor(program: string, server: LedgerInstallation, onAnswer: (answer: Answer) => void) {
    const { connectionString = '' } = server.database.connection
    const { folder, filesArgument, masterKey } = server
    const args = [program, connectionString, dirname(folder), masterKey.toString('base64'), filesArgument]
    this.#child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    this.#ended = once(this.#child, 'close').then(() => {
      this.#ready.reject(new Error('The worker ended before it was ready'))
    })
    this.#ready.promise.catch(() => {})
    this.#child.stdin?.on('error', () => {})
    assert.ok(this.#child.stdout)
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      const [what = '', id = '', index] = line.split(' ')
      if (what === 'ready') this.#ready.resolve()
      else onAnswer({ id, index: what === 'wrote' ? Number(index) : undefined })
    })
  }

  static async start(server: LedgerInstallation, onAnswer: (answer: Answer) => void): Promise<LedgerWorker> {
    const program = await bundled(join(import.meta.dirname, 'ledger-worker.ts'))
    const worker = new LedgerWorker(program, server, onAnswer)
    await worker.#ready.promise
    return worker
  }

  get pid(): number {
    return this.#child.pid ?? assert.fail('it was never started')
  }

  submit(transaction: SignedTransaction): void {
    this.#child.stdin?.write(`${JSON.stringify(transaction)}\n`)
  }

  /** Suspends it until it continues; its connections stay open. */
  pause(): void {
    this.#child.kill('SIGSTOP')
  }

  goOn(): void {
    this.#child.kill('SIGCONT')
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#ended
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill()
  }
}
