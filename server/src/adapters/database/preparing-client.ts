import { Client, type ClientConfig } from 'pg'
import { type SilenceWatchOptions, watchForSilence } from './silent-connections.ts'
import { nameStatements } from './statement-names.ts'

type Query = (statement: unknown, ...rest: readonly unknown[]) => unknown

/**
 * A client that prepares statements given as text, so that repeated statements are only sent by name, and that ends when the
 * network has forgotten its connection.
 */
export const preparingClient = (patience?: SilenceWatchOptions): typeof Client => {
  const nameOf = nameStatements()
  const silence = watchForSilence(patience)
  return class extends Client {
    constructor(config?: string | ClientConfig) {
      super(config)
      const send = super.query.bind(this) as Query
      const connection = silence.watch(
        this,
        typeof config === 'string' ? { connectionString: config } : { ...config },
      )
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
