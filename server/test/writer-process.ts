import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { bundled } from './bundled.ts'
import { eventually } from './eventually.ts'

export interface WriterOptions {
  readonly dataDir: string
  /** 0 only holds the database open. */
  readonly writers: number
  /** User to run as, for root. */
  readonly user?: number
}

/** A separate process with its own embedded database, for tests that kill it. */
export class WriterProcess implements AsyncDisposable {
  readonly acknowledged = new Set<string>()
  readonly #child: ChildProcess
  readonly #ended: Promise<unknown>
  #lastLine = ''

  private constructor(program: string, { dataDir, writers, user }: WriterOptions) {
    this.#child = spawn(process.execPath, [program, dataDir, String(writers)], {
      stdio: ['ignore', 'pipe', 'inherit'],
      ...(user === undefined ? {} : { uid: user, gid: user }),
    })
    this.#ended = once(this.#child, 'close')
    assert.ok(this.#child.stdout)
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      if (line.startsWith('wrote ')) this.acknowledged.add(line.slice('wrote '.length))
      else this.#lastLine = line
    })
  }

  /** Resolves when its database is ready; rejects with the reason if it is refused. */
  static async start(options: WriterOptions): Promise<WriterProcess> {
    const program = await bundled(join(import.meta.dirname, 'acknowledging-writer.ts'))
    const writer = new WriterProcess(program, options)
    await writer.until(() => writer.#lastLine !== '')
    if (writer.#lastLine.startsWith('ready')) return writer
    await writer.#ended
    throw new Error(writer.#lastLine)
  }

  get pid(): number {
    assert.ok(this.#child.pid)
    return this.#child.pid
  }

  /** From its own start to the database's first answer. */
  get readyMs(): number {
    return Number(this.#lastLine.split(' ')[1])
  }

  async untilAcknowledged(more: number): Promise<void> {
    const goal = this.acknowledged.size + more
    await this.until(() => this.acknowledged.size >= goal)
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#ended
  }

  async until(condition: () => boolean): Promise<void> {
    await eventually(
      () => {
        assert.ok(this.#child.exitCode === null || this.#lastLine !== '', 'the writer ended')
        return condition()
      },
      { what: () => `the writer goes on; its last line: ${this.#lastLine}`, everyMs: 5 },
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill()
  }
}

export async function readPostmasterPid(dataDir: string): Promise<number> {
  return Number.parseInt(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10)
}
