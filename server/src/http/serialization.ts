import type { Operation } from '@millseal/contract'
import type { FastifyReply } from 'fastify'

type Serialize = (value: unknown) => string

const compiled = new WeakMap<object, Serialize>()

/** Writes the answers of an operation by its schema; compiled when the first answer is sent, like the validators. */
export const serializerOf = ({ answer }: Operation, reply: FastifyReply): Serialize => {
  if (answer.kind !== 'json') return JSON.stringify
  const serialize =
    compiled.get(answer.schema) ??
    (reply.compileSerializationSchema(answer.schema as Record<string, unknown>) as Serialize)
  compiled.set(answer.schema, serialize)
  return serialize
}
