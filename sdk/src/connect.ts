import type { Certificate } from '@millseal/contract'
import { clientBy } from './client.ts'
import { type Patience, sendPatiently } from './patience.ts'
import { sendOnce } from './send.ts'
import { type Credentials, sendWithToken } from './tokens.ts'
import type { Client } from './types.ts'
import { type AwaitedNotarization, waitForNotarization } from './wait-for-notarization.ts'

export type ConnectOptions = {
  /** Without `/api`: https://millseal.example.com */
  readonly baseUrl: string
  /** Of an application: tokens are fetched and renewed by themselves. */
  readonly credentials?: Credentials
  /** In place of credentials: the token of a person, or a long-lived one. It is not renewed. */
  readonly accessToken?: string
  /** Sent with every call that concerns a company, unless the call names another. */
  readonly company?: string
  readonly patience?: Patience
  readonly fetch?: typeof fetch
}

export type Connection = Client & {
  waitForNotarization(awaited: AwaitedNotarization): Promise<Certificate>
}

/**
 * The client for integrations: it renews its token, waits for its turn where there is a limit, gives every POST an
 * Idempotency-Key, and sends again what got lost. A signal given with a call ends all of that at once.
 */
export const connect = (options: ConnectOptions): Connection => {
  const { baseUrl, credentials, accessToken, company, patience } = options
  const fetcher = options.fetch ?? fetch
  const patient = sendPatiently(sendOnce(fetcher), patience)
  const tokens = clientBy({ baseUrl }, patient)
  const send =
    credentials === undefined
      ? patient
      : sendWithToken(patient, async () => (await tokens.createToken({ body: credentials })).accessToken)
  const client = clientBy(
    {
      baseUrl,
      newKey: () => crypto.randomUUID(),
      ...(accessToken === undefined ? {} : { accessToken }),
      ...(company === undefined ? {} : { company }),
    },
    send,
  )
  return {
    ...client,
    waitForNotarization: (awaited) =>
      waitForNotarization(client, { ...(company === undefined ? {} : { company }), ...awaited }),
  }
}
