import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { Ajv } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import type { JsonValue } from '@millseal/proof'
import { inEnglish } from '@millseal/contract/reasons'
import { certificateOf } from '../../test/invented-certificate.ts'
import { publishedSchemaOf, realCertificates, withoutRealCertificates } from '../../test/real-certificates.ts'
import { isObject } from '../certificate/read-certificate.ts'
import { validate } from '../validate/validate.ts'
import { createRegistry } from './registry.ts'

const registry = createRegistry({ log: { warn: assert.fail } })

type Path = readonly (string | number)[]
type Place = { readonly path: Path; readonly value: JsonValue }

/** Every place of a document; of a list the first two elements, which stand for the others. */
const placesOf = (value: JsonValue, path: Path = []): readonly Place[] => {
  const inner = Array.isArray(value)
    ? value.slice(0, 2).flatMap((one, index) => placesOf(one, [...path, index]))
    : Object.entries(isObject(value) ? value : {}).flatMap(([name, one]) => placesOf(one, [...path, name]))
  return [{ path, value }, ...inner]
}

/** The document with another value at a place, or with nothing there. */
const withAt = (document: JsonValue, [step, ...rest]: Path, change: Change): JsonValue | undefined => {
  if (step === undefined) return change(document)
  if (Array.isArray(document))
    return document.flatMap((one, index) => (index === step ? (withAt(one, rest, change) ?? []) : [one]))
  if (!isObject(document)) return document
  const entries = Object.entries(document).flatMap(([name, one]) => {
    const next = name === step ? withAt(one, rest, change) : one
    return next === undefined ? [] : [[name, next] as const]
  })
  return Object.fromEntries(entries)
}

type Change = (value: JsonValue) => JsonValue | undefined

const changes: Readonly<Record<string, Change>> = {
  'without it': () => undefined,
  'an empty text': (value) => (typeof value === 'string' ? '' : value),
  'another text': (value) => (typeof value === 'string' ? 'Some other text 12' : value),
  'a negative number': (value) => (typeof value === 'number' ? -5.5 : value),
  'a large number': (value) => (typeof value === 'number' ? 1e9 : value),
  'an empty list': (value) => (Array.isArray(value) ? [] : value),
  'a further property': (value) => (isObject(value) ? { ...value, Further: 'x' } : value),
}

const publishedCheck = (path: string): ((json: JsonValue) => boolean) => {
  const schema = JSON.parse(readFileSync(path, 'utf8')) as { readonly $schema: string }
  const options = { strict: false, formats: fullFormats }
  const ajv = schema.$schema.includes('2019') ? new Ajv2019(options) : new Ajv(options)
  const check = ajv.compile(schema)
  return (json) => check(json)
}

describe('a certificate that the publisher accepts', { skip: withoutRealCertificates }, () => {
  const known = realCertificates().filter((real) => real.isValid && existsSync(publishedSchemaOf(real)))
  for (const path of new Set(known.map(publishedSchemaOf))) {
    const real = known.find((one) => publishedSchemaOf(one) === path)
    const name = real?.name ?? assert.fail()
    test(`is accepted, changed at every place: ${name}`, async () => {
      const check = publishedCheck(path)
      const json = JSON.parse(real?.bytes.toString('utf8') ?? '') as JsonValue
      const entry = (await registry.find(certificateOf(json).refSchemaUrl)) ?? assert.fail()
      const refused = placesOf(json)
        .filter(({ path: place }) => place.length > 1)
        .flatMap(({ path: place, value }) =>
          Object.entries(changes).flatMap(([change, apply]) => {
            if (apply(value) === value) return []
            const changed = withAt(json, place, apply) ?? null
            if (!check(changed)) return []
            return validate(certificateOf(changed), entry).map(
              ({ pointer, reason }) => `/${place.join('/')} ${change}: ${pointer} ${inEnglish(reason)}`,
            )
          }),
        )
      assert.deepEqual(refused, [])
    })
  }
})
