import { createHmac } from 'node:crypto'
import { webhookHeaders } from '@millseal/contract'
import type { Secret } from '../../../lib/secret.ts'
import { standardKey } from './hook-secret.ts'

export type Signing = {
  readonly id: string
  readonly timestampSeconds: number
  readonly body: Uint8Array
  /** The first one is the key of `signature`. If empty, the request is not signed. */
  readonly secrets: readonly Secret[]
}

/**
 * `signature` carries one digest, over the body; the header of Standard Webhooks carries one for each secret, over id,
 * time and body.
 */
export const signatureHeaders = ({
  id,
  timestampSeconds,
  body,
  secrets,
}: Signing): Record<string, string> => {
  const common = { [webhookHeaders.id]: id, [webhookHeaders.timestamp]: String(timestampSeconds) }
  const [first] = secrets
  if (first === undefined) return common
  const digest = createHmac('sha256', first.reveal()).update(body).digest('hex')
  return {
    ...common,
    [webhookHeaders.signature]: `t=${timestampSeconds},h=${digest}`,
    [webhookHeaders.standardSignature]: secrets
      .map((secret) => {
        const signed = createHmac('sha256', standardKey(secret))
          .update(`${id}.${timestampSeconds}.`)
          .update(body)
        return `v1,${signed.digest('base64')}`
      })
      .join(' '),
  }
}
