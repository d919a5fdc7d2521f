import { setTimeout as pause } from 'node:timers/promises'
import { connectMqtt, type TestClient } from '../../../server/test/mqtt-client.ts'
import type { Mill } from '../faults/mill.ts'
import type { Silence } from './availability.ts'
import { type Installation, numbers } from './installation.ts'

export type Subscriber = AsyncDisposable & {
  /** When the first message about each certificate came. */
  readonly firstMs: ReadonlyMap<string, number>
  /** Messages that came again: delivery is at least once. */
  readonly repeated: () => number
  /** From the loss of a connection until it was there again. */
  readonly disconnected: readonly Silence[]
}

const againMs = 250

/** Stays connected to RabbitMQ with one kept session, as docs/mqtt.md says. */
export const subscribe = async ({ rabbit, environment }: Installation, mill: Mill): Promise<Subscriber> => {
  const firstMs = new Map<string, number>()
  const disconnected: Silence[] = []
  const over = new AbortController()
  let repeated = 0
  const onReceived = ({ payload }: { readonly payload: string }): void => {
    const [number = 'without a number'] = numbers.exec(payload) ?? []
    if (firstMs.has(number)) repeated += 1
    else firstMs.set(number, Date.now())
  }
  const connect = async () => {
    const client = await connectMqtt({
      url: rabbit.mqttUrl,
      username: `${environment['MILLSEAL_VHOST']}:${mill.companyId}`,
      password: mill.token,
      clientId: `company_${mill.companyId}_erp`,
      onReceived,
    })
    await client.subscribe(`company/${mill.companyId}/test/certificates/notarize_one`)
    return client
  }
  let current: TestClient | undefined = await connect()
  const stay = async (): Promise<void> => {
    let lostMs = 0
    while (!over.signal.aborted) {
      const client = current
      if (client === undefined) {
        current = await connect().catch(() => undefined)
        if (current === undefined) await pause(againMs)
        else disconnected.push({ fromMs: lostMs, toMs: Date.now() })
        continue
      }
      if (client.mqtt.connected) await new Promise<void>((resolve) => client.mqtt.once('close', resolve))
      lostMs = Date.now()
      current = undefined
      await client[Symbol.asyncDispose]()
    }
    await current?.[Symbol.asyncDispose]()
  }
  const staying = stay()
  return {
    firstMs,
    disconnected,
    repeated: () => repeated,
    async [Symbol.asyncDispose]() {
      over.abort()
      current?.mqtt.end(true)
      await staying
    },
  }
}
