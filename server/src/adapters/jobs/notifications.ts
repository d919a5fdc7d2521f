import { createHash } from 'node:crypto'
import type { Client, ClientConfig } from 'pg'
import { PatientClient } from '../database/patient-client.ts'
import { schema } from './settings.ts'

export type NotificationOptions = {
  readonly connection: ClientConfig
  /** A job of this kind was committed; without a kind: any may have been, while nobody listened. */
  readonly onJob: (kind?: string) => void
  readonly onError: (error: unknown) => void
}

const reconnectMs = 1_000
/** As pg-boss derives it where it notifies. */
const channel = `pgboss_${createHash('sha224').update(schema).digest('hex').slice(0, 24)}`

/**
 * Announces new jobs within milliseconds. Only a hint: the queue polls as well, so a lost connection only costs time.
 */
export class Notifications implements AsyncDisposable {
  readonly #options: NotificationOptions
  #client: Client | undefined
  #reconnect: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: NotificationOptions) {
    this.#options = options
  }

  async listen(): Promise<void> {
    const client = new PatientClient({
      ...this.#options.connection,
      application_name: 'millseal-jobs',
      keepAlive: true,
    })
    this.#client = client
    client.on('error', (error) => this.#lose(client, error))
    client.on('end', () => this.#lose(client, new Error('The connection that listens for jobs ended')))
    client.on('notification', ({ payload }) => this.#options.onJob(payload))
    try {
      await client.connect()
      await client.query(`listen ${channel}`)
      this.#options.onJob()
    } catch (error) {
      this.#lose(client, error)
    }
  }

  #lose(client: Client, error: unknown): void {
    if (this.#closed || this.#client !== client) return
    this.#client = undefined
    this.#options.onError(error)
    client.end().catch(() => {})
    this.#reconnect = setTimeout(() => void this.listen(), reconnectMs)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    clearTimeout(this.#reconnect)
    await this.#client?.end().catch(() => {})
  }
}
