import { programName } from './program-name.ts'
import { UsageError } from './usage-error.ts'

/** One line for any thrown value. */
export const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return oneLine(String(error))
  return oneLine(isApiError(error) ? apiMessage(error) : plainMessage(error))
}

export const exitCodeOf = (error: unknown): 1 | 2 =>
  error instanceof UsageError || (error instanceof Error && error.name === 'ConfigError') ? 2 : 1

const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()

/** `fetch` puts the reason in the cause only. */
const plainMessage = (error: Error): string => {
  const { cause } = error
  if (error.message !== 'fetch failed' || !(cause instanceof Error)) return error.message
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message
  const reason = cause.message === '' ? code : cause.message
  return `the server cannot be reached: ${reason}. Start it (${startOf(programName())}), or set --server or MILLSEAL_SERVER to its address`
}

/** In a checkout, another script than that of the command. */
const startOf = (program: string): string =>
  program.endsWith('script/millseal') ? 'script/server' : `${program} serve`

type ApiError = Error & { readonly answer?: { readonly details?: readonly string[] } }

/** Checks the name, because an `instanceof` would load the SDK into every command. */
const isApiError = (error: Error): error is ApiError => error.name === 'ApiError'

const apiMessage = ({ message, answer }: ApiError): string => {
  const details = answer?.details ?? []
  return details.length === 0 || details.some((detail) => message.includes(detail))
    ? message
    : `${message}: ${details.join('; ')}`
}
