import { webhookHeaders } from '@millseal/contract'
import { withoutSecrets } from '../../../lib/without-secrets.ts'

type Headers = Readonly<Record<string, string>>

const hidden = '[hidden]'

/** Who reads them could replay the request: `signature` does not cover the time. */
const signatures: readonly string[] = [webhookHeaders.signature, webhookHeaders.standardSignature]

/** The headers of a request, without the values of those that the company added, and without signatures. */
export const shownRequestHeaders = (sent: Headers, added: readonly string[]): Headers => {
  const masked = new Set([...signatures, ...added.map((name) => name.toLowerCase())])
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [name, masked.has(name) ? hidden : value]),
  )
}

/** Headers that help to find out what went wrong, and have no place for credentials. */
const answerHeaders = [
  'allow',
  'cache-control',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'retry-after',
  'server',
  'via',
  'x-correlation-id',
  'x-request-id',
]
const longestValue = 200

export const shownAnswerHeaders = (received: Headers): Headers =>
  Object.fromEntries(
    answerHeaders.flatMap((name) => {
      const value = received[name]
      return value === undefined ? [] : [[name, withoutSecrets(value, longestValue)] as const]
    }),
  )
