/** The database cannot be used in its current state. The message is one line for the operator: what is wrong, and what to do. */
export class DatabaseRefused extends Error {
  override readonly name = 'DatabaseRefused'
}
