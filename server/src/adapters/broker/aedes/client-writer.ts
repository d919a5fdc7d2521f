import type { Client } from 'aedes'
import type { Publication } from './publication.ts'
import { type Deadline, startDeadline } from '../../../lib/deadline.ts'

/** A client that reads nothing for so long is disconnected. */
export const drainTimeoutMs = 30_000
/** A client that is further behind is disconnected: nothing else limits what a client without a queue is sent. */
const maxUnwritten = 1_000

/** Writes messages to the stream of a client: those of one turn of the event loop together. */
export class ClientWriter {
  readonly #client: Client
  #unwritten = 0
  #isCorked = false
  #patience: Deadline | undefined

  constructor(client: Client) {
    this.#client = client
  }

  write(publication: Publication, id: number | undefined, isRepeated = false): void {
    const { conn } = this.#client
    if (!conn.writable) return
    if (this.#unwritten >= maxUnwritten) return this.#client.close()
    if (!this.#isCorked) this.#cork()
    this.#unwritten += 1
    conn.write(publication.head(id, isRepeated))
    if (!conn.write(publication.payload, this.#onWritten)) this.#awaitDrain()
  }

  readonly #onWritten = (): void => {
    this.#unwritten -= 1
  }

  #cork(): void {
    const { conn } = this.#client
    this.#isCorked = true
    conn.cork()
    process.nextTick(() => {
      this.#isCorked = false
      conn.uncork()
    })
  }

  #awaitDrain(): void {
    if (this.#patience !== undefined) return
    const { conn } = this.#client
    this.#patience = startDeadline(drainTimeoutMs, () => conn.destroy()).unref()
    conn.once('drain', () => {
      this.#patience?.[Symbol.dispose]()
      this.#patience = undefined
    })
  }
}
