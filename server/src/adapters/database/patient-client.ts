import { Client, type ClientConfig } from 'pg'
import { type Deadline, startDeadline } from '../../lib/deadline.ts'

type Call = (...given: readonly unknown[]) => unknown

/**
 * A client of pg whose `connectionTimeoutMillis` and `query_timeout` let the process read an answer first: the timers of pg
 * end a connection when a process that was stopped continues, although the answer has arrived.
 */
export class PatientClient extends Client {
  constructor(config: ClientConfig) {
    super({ ...config, connectionTimeoutMillis: 0, query_timeout: 0 })
    const { connectionTimeoutMillis: connectMs = 0, query_timeout: answerMs = 0 } = config
    let deadline: Deadline | undefined
    const settle = (): void => {
      deadline?.[Symbol.dispose]()
      deadline = undefined
    }
    const endAfter = (ms: number, reason: string): void => {
      settle()
      if (ms === 0) return
      deadline = startDeadline(ms, () => this.connection.stream.destroy(new Error(reason))).unref()
    }
    const connect = super.connect.bind(this) as Call
    const connecting: Call = (...given) => {
      endAfter(connectMs, 'timeout expired')
      return connect(...given)
    }
    const query = super.query.bind(this) as Call
    const querying: Call = (...given) => {
      endAfter(answerMs, 'Query read timeout')
      return query(...given)
    }
    this.connect = connecting as Client['connect']
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same calls
    this.query = querying as Client['query']
    for (const event of ['connect', 'drain', 'end'] as const) this.on(event, settle)
  }
}
