import { Client, type ClientConfig } from 'pg'
import { nameStatements } from './statement-names.ts'

type Query = (statement: unknown, ...rest: readonly unknown[]) => unknown

/** A client that prepares statements given as text, so that repeated statements are only sent by name. */
export const preparingClient = (): typeof Client => {
  const nameOf = nameStatements()
  return class extends Client {
    constructor(config?: string | ClientConfig) {
      super(config)
      const query = super.query.bind(this) as Query
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
