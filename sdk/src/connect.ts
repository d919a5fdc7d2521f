import type { Certificate } from '@millseal/contract'
import { createClientWith } from './client.ts'
import { type Patience, sendPatiently } from './patience.ts'
import { sendOnce } from './send.ts'
import { type Credentials, sendWithToken } from './tokens.ts'
import type { Client } from './types.ts'
import { type AwaitedNotarization, waitForNotarization } from './wait-for-notarization.ts'

export type ConnectOptions = {
  /** Without `/api`: https://millseal.example.com */
  readonly baseUrl: string
  /** The credentials of an application. The client gets and renews tokens with them. */
  readonly credentials?: Credentials
  /** Instead of credentials: the token of a user, or a long-lived one. It is not renewed. */
  readonly accessToken?: string
  /** The default company of all calls. */
  readonly company?: string
  readonly patience?: Patience
  readonly fetch?: typeof fetch
}

export type Connection = Client & {
  waitForNotarization(awaited: AwaitedNotarization): Promise<Certificate>
}

/**
 * The client for integrations. It renews its token, waits if a rate limit is reached, sends an Idempotency-Key with every
 * POST, and retries lost requests. The signal of a call stops all of this immediately.
 */
export const connect = (options: ConnectOptions): Connection => {
  const { baseUrl, credentials, accessToken, company, patience } = options
  const patient = sendPatiently(sendOnce(options.fetch ?? fetch), patience)
  const tokens = createClientWith({ baseUrl }, patient)
  const send =
    credentials === undefined
      ? patient
      : sendWithToken(patient, async () => (await tokens.createToken({ body: credentials })).accessToken)
  const newKey = () => crypto.randomUUID()
  const client = createClientWith({ baseUrl, accessToken, company, newKey }, send)
  return {
    ...client,
    waitForNotarization: (awaited) => waitForNotarization(client, { company, ...awaited }),
  }
}
