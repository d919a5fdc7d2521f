import { WrongCall } from './wrong-call.ts'

/** One line for whoever called, whatever was thrown. */
export const sentenceOf = (error: unknown): string => {
  if (!(error instanceof Error)) return oneLine(String(error))
  return oneLine(isApiError(error) ? apiSentence(error) : plainSentence(error))
}

export const exitCodeOf = (error: unknown): 1 | 2 =>
  error instanceof WrongCall || (error instanceof Error && error.name === 'ConfigError') ? 2 : 1

const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ').trim()

/** What `fetch` throws says why only in its cause. */
const plainSentence = (error: Error): string => {
  const { cause } = error
  if (error.message !== 'fetch failed' || !(cause instanceof Error)) return error.message
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message
  return `the server cannot be reached: ${cause.message === '' ? code : cause.message}`
}

type ApiError = Error & { readonly answer?: { readonly details?: readonly string[] } }

/** By its name: most commands need no SDK, and loading it to ask would make each of them slower. */
const isApiError = (error: Error): error is ApiError => error.name === 'ApiError'

const apiSentence = ({ message, answer }: ApiError): string => {
  const details = answer?.details ?? []
  return details.length === 0 || details.some((detail) => message.includes(detail))
    ? message
    : `${message}: ${details.join('; ')}`
}
