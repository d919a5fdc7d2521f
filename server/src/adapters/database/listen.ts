import { type Client, type ClientConfig, escapeIdentifier } from 'pg'
import type { Logger } from 'pino'
import { PatientClient } from './patient-client.ts'

export type Listening = {
  readonly connection: ClientConfig
  readonly channel: string
  readonly onNews: (news?: string) => void
  readonly log: Logger
}

const reconnectMs = 1_000

/** Listens on a connection of its own, which is reopened whenever it is lost. */
export const listen = ({ connection, channel, onNews, log }: Listening): AsyncDisposable => {
  let client: Client | undefined
  let again: NodeJS.Timeout | undefined
  let closed = false

  const lose = (lost: Client, error: Error): void => {
    if (closed || client !== lost) return
    client = undefined
    log.warn({ channel, reason: error.message }, 'the connection that listens for news broke')
    lost.end().catch(() => {})
    again = setTimeout(() => void connect(), reconnectMs)
  }

  const connect = async (): Promise<void> => {
    const fresh = new PatientClient({ ...connection, keepAlive: true })
    client = fresh
    fresh.on('error', (error) => lose(fresh, error))
    fresh.on('end', () => lose(fresh, new Error('it was ended')))
    fresh.on('notification', ({ payload }) => onNews(payload ?? ''))
    try {
      await fresh.connect()
      await fresh.query(`listen ${escapeIdentifier(channel)}`)
      onNews()
    } catch (error) {
      lose(fresh, error instanceof Error ? error : new Error(String(error)))
    }
  }

  const connected = connect()
  return {
    async [Symbol.asyncDispose]() {
      closed = true
      clearTimeout(again)
      await connected
      await client?.end().catch(() => {})
    },
  }
}
