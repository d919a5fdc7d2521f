import type { Mode } from '@millseal/contract'
import { useEffect, useState } from 'react'
import { api } from '../../api/client.ts'
import { openMqtt } from './mqtt.ts'

export type LiveEvent = {
  readonly number: number
  readonly receivedAt: number
  /** `certificates/notarize_one` */
  readonly name: string
  readonly payload: unknown
}

export type Connection = 'connecting' | 'listening' | 'away' | 'refused'

/** The number of events on the screen; older ones are dropped. */
const shown = 200
const pauseMs = 3_000

const eventOf = (
  { topic, payload }: { readonly topic: string; readonly payload: string },
  number: number,
): LiveEvent => ({
  number,
  receivedAt: Date.now(),
  name: topic.split('/').slice(3).join('/'),
  payload: JSON.parse(payload) as unknown,
})

/** Listens with the rights of this session. Connects again if the connection or its token ends. */
export const useLiveEvents = ({ company, mode }: { company: string; mode: Mode }) => {
  const [connection, setConnection] = useState<Connection>('connecting')
  const [events, setEvents] = useState<readonly LiveEvent[]>([])
  useEffect(() => {
    setConnection('connecting')
    let isOver = false
    let token: string | undefined
    let close = () => {}
    let again: ReturnType<typeof setTimeout> | undefined
    let count = 0
    const retry = () => {
      if (!isOver) again = setTimeout(() => void open(), pauseMs)
    }
    const open = async () => {
      try {
        const broker = await api.readBroker({ company })
        token ??= (await api.readListeningToken()).accessToken
        if (isOver) return
        close = openMqtt({
          url: broker.wsUrl,
          username: broker.username,
          clientId: `${broker.clientIdPrefix}${crypto.randomUUID()}`,
          password: token,
          topics: broker.topics.map((topic) => topic.replace('/+/', `/${mode}/`)),
          onReady: () => setConnection('listening'),
          onMessage(message) {
            count += 1
            const event = eventOf(message, count)
            setEvents((earlier) => [event, ...earlier].slice(0, shown))
          },
          onClosed(refusal) {
            if (refusal !== undefined) token = undefined
            setConnection(refusal === undefined ? 'away' : 'refused')
            retry()
          },
        })
      } catch {
        if (isOver) return
        setConnection('away')
        retry()
      }
    }
    void open()
    return () => {
      isOver = true
      clearTimeout(again)
      close()
    }
  }, [company, mode])
  return { connection, events, clear: () => setEvents([]) }
}
