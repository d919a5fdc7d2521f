import { NotDelivered } from '../../../ports/courier/courier.ts'

const sentences: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was reset',
  EPIPE: 'The connection was closed',
  ENOTFOUND: 'The host name could not be resolved',
  EAI_AGAIN: 'The host name could not be resolved',
  ETIMEDOUT: 'The connection could not be made in time',
  UND_ERR_CONNECT_TIMEOUT: 'The connection could not be made in time',
  EHOSTUNREACH: 'The receiver is unreachable',
  ENETUNREACH: 'The receiver is unreachable',
  UND_ERR_SOCKET: 'The connection was closed before an answer',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer are too large',
}

/** The reason of a failed delivery, as far as the owner of the webhook may know it. */
export const asNotDelivered = (error: unknown): NotDelivered => {
  if (error instanceof NotDelivered) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return new NotDelivered(sentences[code] ?? tlsSentence(code) ?? 'The answer could not be read', {
    cause: error,
  })
}

const tlsSentence = (code: string): string | undefined =>
  /^(ERR_TLS|ERR_SSL|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|HOSTNAME)/.test(code)
    ? `The TLS certificate or connection is not acceptable (${code})`
    : undefined
