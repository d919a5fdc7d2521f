/** No log may contain this, or no honest checkpoint says it. */
export class LogRefused extends Error {
  override readonly name = 'LogRefused'
}
