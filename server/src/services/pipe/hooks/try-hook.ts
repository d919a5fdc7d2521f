import type { HookTrial, operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { principalName } from '../../../http/principal.ts'
import { Secret } from '../../../lib/secret.ts'
import { sortedJson } from '../../../lib/sorted-json.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import { isSuccess, sendRequest } from './send-request.ts'
import { admitDelivery } from '../quotas/daily-quota.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { toExchangeResponse } from '../events/event-response.ts'
import { readHookSecret } from '../signatures/hook-secret.ts'
import { readHeaders } from './hook-headers.ts'
import { assertHookMode } from './hook-reach.ts'
import { assertTarget } from './hook-target.ts'

/** Sends one test event to a receiver that is not saved, and answers with what happened. Nothing is retried. */
export const tryHook = async (
  deps: PipeDependencies,
  call: Call<typeof operations.tryHook>,
): Promise<HookTrial> => {
  const { body, companyId, principal, client, signal } = call
  const { connectionUrl, contentType = 'application/json', enableSSL: enableSsl = true } = body
  const mode = body.mode ?? (principal.kind === 'user' ? 'test' : principal.mode)
  assertHookMode(call, mode)
  assertTarget(deps, { connectionUrl, modes: [mode] })
  const headers = new Secret(readHeaders(body.headers ?? [], []))
  const secret = readHookSecret(body.secret ?? '')
  await deps.database.transaction(async (tx) => {
    await admitDelivery(deps, tx, companyId)
    await deps.audit.write(tx, {
      actor: principalName(principal),
      action: 'hooks.try',
      subject: `company:${companyId}`,
      companyId,
      ipAddress: client.ip,
      details: { host: new URL(connectionUrl).host, mode },
    })
  })
  const now = deps.clock.now()
  const eventId = uuidv7(now)
  const payload = Buffer.from(sortedJson({ id: eventId, company: companyId, connectionUrl }))
  const secrets = secret === undefined ? [] : [secret]
  const request = { connectionUrl, contentType, enableSsl, headers, secrets, eventId, mode, payload }
  const exchange = await sendRequest(deps, { ...request, resource: 'hooks', action: 'test' }, signal())
  return {
    eventId,
    delivered: isSuccess(exchange.statusCode),
    payload: payload.toString('utf8'),
    ...toExchangeResponse(exchange, true),
  }
}
