import { WrongCall } from './wrong-call.ts'

/** One line for whoever called, whatever was thrown. */
export const sentenceOf = (error: unknown): string => {
  if (!(error instanceof Error)) return oneLine(String(error))
  return oneLine(isApiError(error) ? apiSentence(error) : plainSentence(error))
}

export const exitCodeOf = (error: unknown): 1 | 2 =>
  error instanceof WrongCall || (error instanceof Error && error.name === 'ConfigError') ? 2 : 1

/** A file or a server may have written a part of it: nothing in it commands the terminal or turns text around. */
const oneLine = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\s]+/gu, ' ').trim()

/** What `fetch` throws says why only in its cause. */
const plainSentence = (error: Error): string => {
  const { cause } = error
  if (error.message !== 'fetch failed' || !(cause instanceof Error)) return error.message
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message
  const reason = cause.message === '' ? code : cause.message
  return `the server cannot be reached: ${reason}. Does it run (script/server), and is --server, or MILLSEAL_SERVER, its address?`
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
