import multipart from '@fastify/multipart'
import { type Document, type DocumentType, limits, type Operation } from '@millseal/contract'
import { JsonError, readJson } from '@millseal/proof'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../lib/problem.ts'

const json = 'application/json'
const form = 'application/x-www-form-urlencoded'
const files = 'multipart/form-data'

/** Whether the operation can be given this content type; asked before a byte of the body is read. */
export const assertAcceptable = (operation: Operation, contentType: string | undefined): void => {
  if (contentType === undefined) return
  const accepted = acceptedTypes(operation)
  if (!accepted.includes(mediaType(contentType))) {
    throw new Problem('media_type_unsupported', { details: [`Send ${accepted.join(' or ')}`] })
  }
}

const acceptedTypes = ({ body }: Operation): readonly string[] => {
  if (body?.kind === 'form') return [form]
  if (body?.kind === 'document') return [...body.accepts, files]
  return [json]
}

const mediaType = (contentType: string): string => contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''

export const bodyLimitOf = ({ body, limit }: Operation): number =>
  limit?.bodyBytes ?? (body?.kind === 'document' ? limits.body.certificateBytes : limits.body.defaultBytes)

/** Bodies arrive as bytes and are read strictly: what one reader would repair and another would not is refused. */
export const registerBodyParsers = async (server: FastifyInstance): Promise<void> => {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser(json, { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) =>
    operationOf(request)?.body?.kind === 'document' ? document(bytes, json) : parseJson(bytes),
  )
  server.addContentTypeParser(form, { parseAs: 'buffer' }, async (_request: FastifyRequest, bytes: Buffer) =>
    parseForm(bytes),
  )
  for (const type of ['application/pdf', 'text/csv'] as const) {
    server.addContentTypeParser(
      type,
      { parseAs: 'buffer' },
      async (_request: FastifyRequest, bytes: Buffer) => document(bytes, type),
    )
  }
  await server.register(multipart, {
    limits: {
      files: limits.body.files,
      fields: limits.body.fields,
      parts: limits.body.files + limits.body.fields,
      fieldNameSize: 100,
      fieldSize: 4_096,
      headerPairs: 20,
    },
    throwFileSizeLimit: true,
  })
}

const operationOf = (request: FastifyRequest): Operation | undefined => request.routeOptions.config.operation

const parseJson = (bytes: Buffer): unknown => {
  if (bytes.length === 0) return undefined
  try {
    return readJson(bytes, { maxDepth: limits.body.depth, storable: true })
  } catch (error) {
    if (error instanceof JsonError) throw new Problem('malformed_json', { details: [error.message] })
    throw error
  }
}

const parseForm = (bytes: Buffer): Record<string, string> => {
  const parameters = new URLSearchParams(bytes.toString('utf8'))
  const result: Record<string, string> = {}
  for (const [name, value] of parameters) {
    if (value.includes('\u0000'))
      throw new Problem('validation_failed', { details: [`/${name} must not contain U+0000`] })
    if (Object.hasOwn(result, name))
      throw new Problem('validation_failed', { details: [`/${name} is given twice`] })
    Object.defineProperty(result, name, { value, enumerable: true, configurable: true, writable: true })
  }
  return result
}

const document = (bytes: Uint8Array, type: DocumentType, fields: Record<string, string> = {}): Document => ({
  bytes,
  type,
  fields,
})

/** The first file of a multipart body, whatever its field is called, with the text fields beside it. */
export const readMultipart = async (request: FastifyRequest, operation: Operation): Promise<Document> => {
  let file: { bytes: Buffer; filename: string; type: DocumentType } | undefined
  const fields: Record<string, string> = {}
  try {
    for await (const part of request.parts({ limits: { fileSize: bodyLimitOf(operation) } })) {
      if (part.type === 'file') {
        file = {
          bytes: await part.toBuffer(),
          filename: part.filename,
          type: fileType(part.mimetype, part.filename),
        }
      } else if (typeof part.value === 'string') {
        fields[part.fieldname] = part.value
      }
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw error
    throw new Problem('malformed_multipart', { cause: error })
  }
  if (file === undefined) throw new Problem('validation_failed', { details: ['/file is required'] })
  return { bytes: file.bytes, type: file.type, filename: file.filename, fields }
}

/** Only a hint of the sender; whoever reads the bytes decides what they are. */
const fileType = (mimetype: string, filename: string): DocumentType => {
  if (mimetype === 'application/pdf' || filename.toLowerCase().endsWith('.pdf')) return 'application/pdf'
  if (mimetype === 'text/csv' || filename.toLowerCase().endsWith('.csv')) return 'text/csv'
  return json
}
