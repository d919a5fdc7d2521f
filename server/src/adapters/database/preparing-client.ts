import type { Client, ClientConfig } from 'pg'
import { PatientClient } from './patient-client.ts'
import { type SilenceWatchOptions, watchForSilence } from './silent-connections.ts'
import { nameStatements } from './statement-names.ts'

type Query = (statement: unknown, ...rest: readonly unknown[]) => unknown

/**
 * A client that prepares statements given as text, so that repeated statements are only sent by name, and that ends when the
 * network has forgotten its connection.
 */
export const preparingClient = ({
  silence: options,
  connectTimeoutMs,
}: {
  readonly silence?: SilenceWatchOptions
  /** For a pool, whose `connectionTimeoutMillis` would be a timer of its own. */
  readonly connectTimeoutMs?: number | undefined
} = {}): typeof Client => {
  const nameOf = nameStatements()
  const silence = watchForSilence(options)
  return class extends PatientClient {
    constructor(given?: string | ClientConfig) {
      const { connectionTimeoutMillis = connectTimeoutMs, ...config } =
        typeof given === 'string' ? { connectionString: given } : { ...given }
      super({ ...config, connectionTimeoutMillis })
      const send = this.query.bind(this) as Query
      const connection = silence.watch(this, config)
      const query: Query = (...asked) => {
        connection.asks()
        return send(...asked)
      }
      const prepared: Query = (statement, ...rest) => {
        if (typeof statement !== 'string') return query(statement, ...rest)
        const [values, ...others] = Array.isArray(rest[0]) ? rest : [[], ...rest]
        const parameters = values as readonly unknown[]
        return query({ ...nameOf(statement, parameters), text: statement, values: parameters }, ...others)
      }
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same calls, of which texts get a name
      this.query = prepared as Client['query']
    }
  }
}
