import { because, type Reason } from '@millseal/contract/reasons'
import { NotDelivered } from '../../../ports/courier/courier.ts'

const reasons: Readonly<Record<string, Reason>> = {
  ECONNREFUSED: because('connection_refused'),
  ECONNRESET: because('connection_reset'),
  EPIPE: because('connection_closed'),
  ENOTFOUND: because('host_not_resolved'),
  EAI_AGAIN: because('host_not_resolved'),
  ETIMEDOUT: because('connection_too_slow'),
  UND_ERR_CONNECT_TIMEOUT: because('connection_too_slow'),
  EHOSTUNREACH: because('receiver_unreachable'),
  ENETUNREACH: because('receiver_unreachable'),
  UND_ERR_SOCKET: because('connection_closed_early'),
  UND_ERR_HEADERS_OVERFLOW: because('answer_headers_too_large'),
}

/** The reason of a failed delivery, as far as the owner of the webhook may know it. */
export const asNotDelivered = (error: unknown): NotDelivered => {
  if (error instanceof NotDelivered) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return new NotDelivered(reasons[code] ?? tlsReason(code) ?? because('answer_unreadable'), {
    cause: error,
  })
}

const tlsReason = (code: string): Reason | undefined =>
  /^(ERR_TLS|ERR_SSL|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|HOSTNAME)/.test(code)
    ? because('tls_not_acceptable', { code })
    : undefined
