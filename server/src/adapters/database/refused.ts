/** The database must not be used as it stands. The message is one line that tells the operator what is wrong and what to do. */
export class DatabaseRefused extends Error {
  override readonly name = 'DatabaseRefused'
}
