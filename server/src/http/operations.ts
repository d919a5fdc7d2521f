import {
  addresses,
  honoursIdempotencyKey,
  methodsOf,
  modes,
  type Operation,
  operations,
} from '@millseal/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { because } from '@millseal/contract/reasons'
import { createTurns } from '../lib/in-turn.ts'
import { Problem } from '../lib/problem.ts'
import { Secret } from '../lib/secret.ts'
import { disconnectSignal } from './disconnect-signal.ts'
import { resolveAccess } from './access.ts'
import type { AnyCall, Binding, Content } from './binding.ts'
import { assertKind } from './authorize.ts'
import { acceptContentType, bodyLimitOf, completeBody, takesArchive } from './body.ts'
import { answerPreflight } from './cors.ts'
import { assertUsableKey, type Commit, createIdempotency, type KeyedRequest } from './idempotency.ts'
import { principalName } from './principal.ts'
import { schemasOf } from './schemas.ts'
import { serializerOf } from './serialization.ts'
import { streamOf } from './stream-of.ts'
import type { HttpDependencies } from './dependencies.ts'

/** Longer than a request may take. */
const longestTurnMs = 60_000

/** Registers every operation of the served services at each of its addresses. Without a handler it answers 501. */
export const registerOperations = (server: FastifyInstance, deps: HttpDependencies): void => {
  const idempotency = createIdempotency(deps)
  // The others with a key wait without a connection to the database, and then find the answer of the first.
  const inTurn = createTurns({ atOnce: 1, longestWaitMs: longestTurnMs })
  const { draining } = deps
  const handlers = new Map(deps.bindings.map((binding) => [binding.operation.id, binding]))
  for (const operation of Object.values<Operation>(operations)) {
    if (operation.service !== 'every-service' && !deps.settings.services.includes(operation.service)) continue
    const binding = handlers.get(operation.id)
    for (const address of addresses(operation)) {
      const url = address.replaceAll(/\{(\w+)\}/g, ':$1')
      server.route({
        method: [...methodsOf(operation)],
        url,
        config: { operation },
        bodyLimit: bodyLimitOf(operation, deps.settings),
        schema: schemasOf(operation),
        onRequest: async () => {
          if (binding === undefined) throw new Problem('not_implemented')
        },
        preParsing: async (request) => {
          const { principal } = request
          if (takesArchive(operation.body) && principal !== undefined) assertKind(operation, principal)
          acceptContentType(operation, request.headers)
        },
        preValidation: async (request) => {
          assertKnownMode(operation, request)
          await completeBody(request, operation, deps.settings)
        },
        preHandler: async (request) => {
          request.access = await resolveAccess(operation, request, deps)
        },
        handler: async (request, reply) => {
          if (binding === undefined) throw new Problem('not_implemented')
          const key = keyOf(operation, request)
          if (key === undefined) {
            const commit: Commit = (work) => deps.database.transaction(work)
            return perform(binding, request, reply, { hasKey: false, commit, draining })
          }
          const keyed = keyedRequest(operation, request, reply, key)
          return inTurn({ key: nameOf(keyed), signal: disconnectSignal(reply.raw) }, async () =>
            perform(binding, request, reply, {
              hasKey: true,
              commit: await idempotency.begin(keyed),
              draining,
            }),
          )
        },
      })
      if (operation.cors === 'any') {
        server.options(url, { config: { operation } }, async (_request, reply) =>
          answerPreflight(reply, { methods: methodsOf(operation) }),
        )
      }
    }
  }
}

/** Operations of the earlier variant have an error code for this; for all others it is a validation error. */
const assertKnownMode = ({ errors = [] }: Operation, { query }: FastifyRequest): void => {
  const { mode } = query as { readonly mode?: unknown }
  if (!errors.includes('invalid_mode') || mode === undefined || modes.some((one) => one === mode)) return
  throw new Problem('invalid_mode', {
    reasons: [because('must_be_one_of', { allowed: modes.join(', '), place: 'query/mode' })],
  })
}

type Performing = {
  readonly draining: () => boolean
  readonly hasKey: boolean
  readonly commit: Commit
}

/** Undefined without an Idempotency-Key that the operation honours. */
const keyOf = (operation: Operation, { headers }: FastifyRequest): string | undefined => {
  const key = headers['idempotency-key']
  if (typeof key !== 'string' || !honoursIdempotencyKey(operation)) return undefined
  assertUsableKey(key)
  return key
}

const keyedRequest = (
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
): KeyedRequest => ({
  operation,
  key,
  principal: request.principal === undefined ? `ip:${request.ip}` : principalName(request.principal),
  target: `${request.url} ${String(request.headers['company'] ?? '')}`,
  body: request.body,
  serialize: serializerOf(operation, reply),
})

const nameOf = ({ operation, principal, key }: KeyedRequest): string => `${operation.id} ${principal} ${key}`

const perform = async (
  binding: Binding,
  request: FastifyRequest,
  reply: FastifyReply,
  { draining, ...committing }: Performing,
): Promise<unknown> => {
  const call: AnyCall = {
    params: request.params,
    query: request.query,
    body: request.body,
    principal: request.principal,
    companyId: request.access?.companyId,
    mode: request.access?.mode,
    assertRecordMode: (mode) => request.access?.assertRecordMode(mode),
    mayActIn: (mode) => request.access?.mayActIn(mode) ?? false,
    accessToken: request.accessToken,
    sentHeaders: declaredHeaders(binding.operation, request),
    authorization: unverifiedAuthorization(binding.operation, request),
    refreshToken: request.refreshToken,
    client: { ip: request.ip, device: (request.headers['user-agent'] ?? '').slice(0, 200) },
    requestId: request.id,
    calledAs: (request.routeOptions.url ?? '').replaceAll(/:(\w+)/g, '{$1}'),
    log: request.log,
    signal: () => disconnectSignal(reply.raw),
    header: (name, value) => void reply.header(name, value),
    ...committing,
  }
  const result = await binding.handle(call)
  const { answer } = binding.operation
  if (answer.kind === 'redirect')
    return reply.redirect((result as { location: string }).location, answer.status)
  if (answer.kind === 'content') {
    const { type, bytes } = result as Content
    const isWhole = typeof bytes === 'string' || bytes instanceof Uint8Array
    return reply
      .code(answer.status)
      .type(type)
      .send(isWhole ? bytes : streamOf(bytes, { raw: reply.raw, draining }))
  }
  reply.code(answer.status)
  // Fastify sends a string as it is; as JSON it needs quotes.
  const serialize = typeof result === 'string' ? JSON.stringify : serializerOf(binding.operation, reply)
  reply.type('application/json; charset=utf-8').serializer(serialize)
  return reply.send(result)
}

const declaredHeaders = ({ headers }: Operation, request: FastifyRequest): AnyCall['sentHeaders'] =>
  Object.fromEntries(
    Object.keys(headers?.properties ?? {}).map((name) => {
      const sent = request.headers[name]
      return [name, typeof sent === 'string' ? sent : undefined]
    }),
  )

const unverifiedAuthorization = ({ access }: Operation, { headers }: FastifyRequest): Secret | undefined =>
  access === 'public' && headers.authorization !== undefined ? new Secret(headers.authorization) : undefined
