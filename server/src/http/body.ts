import type { IncomingHttpHeaders } from 'node:http'
import { type Document, type DocumentType, limits, type Operation } from '@millseal/contract'
import { JsonError, looksLikePdf, readStorableJson } from '@millseal/proof'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { because, type Reason } from '@millseal/contract/reasons'
import { malformedJson } from '../lib/malformed-json.ts'
import { Problem } from '../lib/problem.ts'
import type { HttpSettings } from './dependencies.ts'
import { readMultipart, registerMultipart } from './multipart.ts'

const json = 'application/json'
const form = 'application/x-www-form-urlencoded'
const files = 'multipart/form-data'

/**
 * Rejects a content type the operation does not accept, before the body is read. An optional body that was not sent may
 * have any type: client libraries add one.
 */
export const acceptContentType = (operation: Operation, headers: IncomingHttpHeaders): void => {
  if (!needsBody(operation) && isWithoutBody(headers)) delete headers['content-type']
  const contentType = headers['content-type']
  if (contentType === undefined) return
  const accepted = acceptedTypes(operation)
  if (!accepted.includes(mediaType(contentType))) {
    throw new Problem('media_type_unsupported', {
      reasons: [because('send_media_type', { accepted: accepted.join(' or ') })],
    })
  }
}

const needsBody = ({ body }: Operation): boolean =>
  body !== undefined && !(body.kind === 'json' && body.optional === true)

const isWithoutBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0

const acceptedTypes = ({ body }: Operation): readonly string[] => {
  if (body?.kind === 'form') return [form]
  if (body?.kind === 'document') return [...body.accepts, files]
  return [json]
}

const mediaType = (contentType: string): string => contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''

/** Only callers with a token send archives, which are larger than certificates. */
export const takesArchive = (body: Operation['body']): boolean =>
  body?.kind === 'document' && body.accepts.includes('application/zip')

/** Of the largest certificate. */
export type CertificateSize = { readonly certificateBytes: number }

/** A PDF contains the certificate, its attached files, and fonts. */
export const pdfBytesOf = ({ certificateBytes }: CertificateSize): number =>
  3 * certificateBytes + 1024 * 1024

/** How much is allowed. */
export const certificateLimit = (size: CertificateSize): Reason => {
  const mebibytes = (bytes: number) => bytes / (1024 * 1024)
  return because('certificate_has_most', {
    most: mebibytes(size.certificateBytes),
    pdf: mebibytes(pdfBytesOf(size)),
  })
}

export const bodyLimitOf = ({ access, body }: Operation, settings: HttpSettings): number => {
  const hasToken = access === 'user' || access === 'bearer'
  if (body?.kind !== 'document') return hasToken ? limits.body.defaultBytes : limits.body.publicBytes
  if (takesArchive(body)) return limits.body.archiveBytes
  if (body.accepts.includes('image/png')) return limits.body.logoBytes
  return body.accepts.includes('application/pdf') ? pdfBytesOf(settings) : settings.certificateBytes
}

/** Says how much is allowed, and by which setting, if a body was refused for its size. */
export const withLimit = (
  problem: Problem,
  { config, bodyLimit }: FastifyRequest['routeOptions'],
  settings: HttpSettings,
): Problem => {
  const { code, reasons, cause } = problem
  const isSize = code === 'body_too_large' && reasons.length === 0 && !isCount(cause)
  if (!isSize) return problem
  return new Problem(code, { cause, reasons: [limitOf(config.operation?.body, bodyLimit, settings)] })
}

/** The number of parts of a form, not their size. */
const isCount = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && /^FST_(?:FILES|FIELDS|PARTS)_LIMIT$/.test(String(cause.code))

const limitOf = (body: Operation['body'], most: number | undefined, settings: HttpSettings): Reason => {
  const isCertificate = body?.kind === 'document' && body.accepts.includes('application/json')
  return isCertificate
    ? certificateLimit(settings)
    : because('body_has_most', { most: most ?? limits.body.publicBytes })
}

const bytesTypes: readonly DocumentType[] = [
  'application/pdf',
  'text/csv',
  'application/x-ndjson',
  'application/zip',
  'application/gzip',
  'image/png',
  'image/jpeg',
]

/** Parsing is strict: input that some parsers repair and others reject is rejected. */
export const registerBodyParsers = async (server: FastifyInstance): Promise<void> => {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser(json, { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) =>
    operationOf(request)?.body?.kind === 'document' ? document(bytes, json) : parseJson(bytes),
  )
  server.addContentTypeParser(form, { parseAs: 'buffer' }, async (_request: FastifyRequest, bytes: Buffer) =>
    parseForm(bytes),
  )
  for (const type of bytesTypes) {
    server.addContentTypeParser(
      type,
      { parseAs: 'buffer' },
      async (_request: FastifyRequest, bytes: Buffer) => document(bytes, type),
    )
  }
  await registerMultipart(server)
}

const operationOf = (request: FastifyRequest): Operation | undefined => request.routeOptions.config.operation

const parseJson = (bytes: Buffer): unknown => {
  if (bytes.length === 0) return undefined
  try {
    return readStorableJson(bytes, { maxDepth: limits.body.depth })
  } catch (error) {
    if (error instanceof JsonError) throw malformedJson(error)
    throw error
  }
}

const parseForm = (bytes: Buffer): Record<string, string> => {
  const parameters = new URLSearchParams(bytes.toString('utf8'))
  const result: Record<string, string> = {}
  for (const [name, value] of parameters) {
    if (value.includes('\u0000'))
      throw new Problem('validation_failed', {
        reasons: [because('must_not_contain_nul', { place: `/${name}` })],
      })
    if (Object.hasOwn(result, name))
      throw new Problem('validation_failed', { reasons: [because('is_given_twice', { place: `/${name}` })] })
    Object.defineProperty(result, name, { value, enumerable: true, configurable: true, writable: true })
  }
  return result
}

const document = (bytes: Uint8Array, type: DocumentType, fields: Record<string, string> = {}): Document => ({
  bytes,
  type,
  fields,
})

/** Finishes the body after parsing: reads multipart forms, fills in optional bodies and checks sizes. */
export const completeBody = async (
  request: FastifyRequest,
  operation: Operation,
  settings: HttpSettings,
): Promise<void> => {
  const { body } = operation
  if (body?.kind === 'json' && body.optional === true) request.body ??= {}
  if (body?.kind !== 'document') return
  if (request.isMultipart()) request.body = await readMultipart(request, bodyLimitOf(operation, settings))
  else if ((request.body ?? undefined) === undefined)
    throw new Problem('validation_failed', {
      reasons: [because('body_is_required')],
    })
  const { bytes } = request.body as Document
  // The content type does not count: parsing JSON takes longer than searching a PDF.
  if (!body.accepts.includes('application/json')) return
  if (bytes.length > settings.certificateBytes && !looksLikePdf(bytes)) throw new Problem('body_too_large')
}
