import multipart from '@fastify/multipart'
import { type Document, type DocumentType, limits } from '@millseal/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { because } from '@millseal/contract/reasons'
import { Problem } from '../lib/problem.ts'

export const registerMultipart = async (server: FastifyInstance): Promise<void> => {
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

/** Returns the first file of a multipart body, whatever its field name, with the text fields. */
export const readMultipart = async (request: FastifyRequest, fileBytes: number): Promise<Document> => {
  const wholeBytes = fileBytes + limits.body.formBytes
  if (Number(request.headers['content-length'] ?? 0) > wholeBytes) throw new Problem('body_too_large')
  return Promise.race([readParts(request, fileBytes), rejectBeyond(request, wholeBytes)])
}

/** Never resolves. Needed because the parser reads an endless body to its end and discards the surplus. */
const rejectBeyond = ({ raw }: FastifyRequest, wholeBytes: number): Promise<never> =>
  new Promise((_resolve, reject) => {
    let received = 0
    raw.on('data', (chunk: Buffer) => {
      received += chunk.length
      if (received <= wholeBytes) return
      raw.unpipe()
      raw.pause()
      reject(new Problem('body_too_large'))
    })
  })

const readParts = async (request: FastifyRequest, fileSize: number): Promise<Document> => {
  let file: { bytes: Buffer; filename: string; type: DocumentType } | undefined
  const fields: Record<string, string> = {}
  try {
    for await (const part of request.parts({ limits: { fileSize } })) {
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
  if (file === undefined)
    throw new Problem('validation_failed', { reasons: [because('is_required', { place: '/file' })] })
  return { bytes: file.bytes, type: file.type, filename: file.filename, fields }
}

/** Only the sender's claim: the reader of the bytes decides what they are. */
const fileType = (mimetype: string, filename: string): DocumentType => {
  const name = filename.toLowerCase()
  if (mimetype === 'application/pdf' || name.endsWith('.pdf')) return 'application/pdf'
  if (mimetype === 'text/csv' || name.endsWith('.csv')) return 'text/csv'
  if (mimetype === 'application/x-ndjson' || name.endsWith('.ndjson')) return 'application/x-ndjson'
  if (mimetype === 'application/zip' || name.endsWith('.zip')) return 'application/zip'
  if (mimetype === 'application/gzip' || name.endsWith('gz')) return 'application/gzip'
  if (mimetype === 'image/png' || name.endsWith('.png')) return 'image/png'
  if (mimetype === 'image/jpeg' || name.endsWith('.jpg')) return 'image/jpeg'
  return 'application/json'
}
