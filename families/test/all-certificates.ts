import assert from 'node:assert/strict'
import type { JsonValue } from '@millseal/proof'
import { readCertificate } from '../src/certificate/read-certificate.ts'
import { families } from '../src/families/index.ts'
import { isEncoded } from '../src/model/is-encoded.ts'
import { createRegistry } from '../src/registry/registry.ts'
import { draftECoc, en10168Of04, oldEn10168, oldMetals } from './old-certificates.ts'
import { coaOf01, draftCoa } from './old-coa.ts'
import { oldTimber } from './old-timber.ts'
import { realCertificates } from './real-certificates.ts'

const registry = createRegistry({ log: { warn: assert.fail } })
export const bytesOf = (json: unknown): Buffer => Buffer.from(JSON.stringify(json))

/** Samples, published certificates and certificates as older versions have them. */
export const allCertificates = async () => {
  const documents = [
    ...families.flatMap(({ samples }) => samples.map(bytesOf)),
    ...realCertificates().map(({ bytes }) => bytes),
    ...['0.0.2', '0.3.0'].map((version) => bytesOf(oldEn10168(version))),
    bytesOf(en10168Of04('0.4.0')),
    bytesOf(draftCoa('0.0.4')),
    bytesOf(coaOf01('0.2.0')),
    bytesOf(draftECoc()),
    bytesOf(oldMetals('0.0.1')),
    ...oldTimber.map(bytesOf),
  ]
  const read = documents.map((bytes) => readCertificate(bytes))
  const found = await Promise.all(read.map((certificate) => registry.find(certificate.refSchemaUrl)))
  return read.flatMap((certificate, index) => {
    const entry = found[index]
    return entry === undefined ? [] : [{ certificate, entry }]
  })
}

/** The values of a certificate by their pointers; without those that are pictures and files. */
export const leaves = (value: JsonValue, pointer = ''): readonly (readonly [string, string])[] => {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, inner]) => leaves(inner, `${pointer}/${key}`))
  }
  const text = String(value ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return text === '' || isEncoded(text) ? [] : [[pointer, text]]
}
