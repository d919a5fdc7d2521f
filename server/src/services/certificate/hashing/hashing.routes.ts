import {
  type Document,
  type HashResponse,
  hashAlgorithms,
  hashEncodings,
  limits,
  operations,
} from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import { canonicalJson, JsonError, type JsonValue, readStorableJson } from '@millseal/proof'
import { type Binding, bind } from '../../../http/binding.ts'
import { malformedJson } from '../../../lib/malformed-json.ts'
import { Problem } from '../../../lib/problem.ts'
import { hash } from './hash.ts'

/** The default algorithm and encoding give the hash that a notarization of the same object records. */
export const hashingRoutes = (): readonly Binding[] => [
  bind(operations.hashCertificate, async ({ body }) => {
    const { source, ...options } = body
    return hash(canonicalJson(source as JsonValue), options)
  }),
  bind(operations.hashFile, async ({ body }) => hashDocument(body)),
]

const hashDocument = ({ bytes, type, fields }: Document): HashResponse => {
  const options = {
    algorithm: oneOf(hashAlgorithms, { fields, name: 'algorithm', fallback: 'sha256' }),
    encoding: oneOf(hashEncodings, { fields, name: 'encoding', fallback: 'hex' }),
  }
  const kind = oneOf(['json', 'csv'], {
    fields,
    name: 'contentType',
    fallback: type === 'text/csv' ? 'csv' : 'json',
  })
  return hash(kind === 'csv' ? bytes : canonicalJson(parse(bytes)), options)
}

const oneOf = <V extends string>(
  values: readonly V[],
  { fields, name, fallback }: { fields: Document['fields']; name: string; fallback: V },
): V => {
  const given = fields[name]
  if (given === undefined || given === '') return fallback
  const found = values.find((value) => value === given)
  if (found === undefined) {
    throw new Problem('validation_failed', {
      reasons: [because('must_be_one_of_these', { allowed: values.join(', '), place: `/${name}` })],
    })
  }
  return found
}

const parse = (bytes: Uint8Array): JsonValue => {
  try {
    return readStorableJson(bytes, { maxDepth: limits.body.depth })
  } catch (error) {
    if (error instanceof JsonError) throw malformedJson(error)
    throw error
  }
}
