import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { byId, oneOf } from '../shapes/common.ts'
import { CompanyLook, LookSettings, PreviewLook, ReceiverQuery } from '../shapes/looks.ts'

const looks = {
  service: 'certificate-service',
  variant: 'current',
  access: 'bearer',
  companyInPath: true,
  params: byId,
} as const

const reading = {
  ...looks,
  method: 'GET',
  scope: [{ resource: 'companies', action: 'read_one' }],
  memberRole: 'read_only',
} as const

const changing = {
  ...looks,
  scope: [{ resource: 'companies', action: 'update_one' }],
  memberRole: 'admin',
  query: Type.Object(ReceiverQuery),
} as const

export const listLooks = operation({
  ...reading,
  id: 'looks.list',
  path: '/companies/{id}/looks',
  summary: 'List the looks of a company',
  description: 'The look for all receivers first, then those for single receivers.',
  answer: { kind: 'json', status: 200, schema: Type.Array(CompanyLook) },
})

export const readLook = operation({
  ...reading,
  id: 'looks.read',
  path: '/companies/{id}/look',
  summary: 'Read how the certificates of a company look',
  description: 'An empty object if nothing is set.',
  query: Type.Object(ReceiverQuery),
  answer: { kind: 'json', status: 200, schema: CompanyLook },
})

export const updateLook = operation({
  ...changing,
  id: 'looks.update',
  method: 'PUT',
  path: '/companies/{id}/look',
  summary: 'Set how the certificates of a company look',
  description:
    'Replaces all settings and keeps the logo. What the look for a receiver leaves out is as in the look for all receivers. Notarizations that follow have the new look; PDFs that exist never change.',
  body: { kind: 'json', schema: LookSettings },
  answer: { kind: 'json', status: 200, schema: CompanyLook },
  errors: ['look_limit_reached'],
})

export const deleteLook = operation({
  ...changing,
  id: 'looks.delete',
  method: 'DELETE',
  path: '/companies/{id}/look',
  summary: 'Delete a look with its logo',
  answer: { kind: 'json', status: 200, schema: CompanyLook },
})

export const readLogo = operation({
  ...reading,
  id: 'looks.read_logo',
  path: '/companies/{id}/look/logo',
  summary: 'Read the logo of a look',
  query: Type.Object(ReceiverQuery),
  answer: { kind: 'content', status: 200, types: ['image/png', 'image/jpeg'] },
})

export const updateLogo = operation({
  ...changing,
  id: 'looks.update_logo',
  method: 'PUT',
  path: '/companies/{id}/look/logo',
  summary: 'Set the logo of a look',
  description: 'Takes the bytes of a PNG or JPEG of at most 512 KiB.',
  body: { kind: 'document', accepts: ['image/png', 'image/jpeg'] },
  answer: { kind: 'json', status: 200, schema: CompanyLook },
  errors: ['picture_unreadable', 'look_limit_reached'],
})

export const deleteLogo = operation({
  ...changing,
  id: 'looks.delete_logo',
  method: 'DELETE',
  path: '/companies/{id}/look/logo',
  summary: 'Delete the logo of a look',
  answer: { kind: 'json', status: 200, schema: CompanyLook },
})

export const previewLook = operation({
  ...looks,
  id: 'looks.preview',
  method: 'POST',
  path: '/companies/{id}/look/preview',
  summary: 'Preview a look',
  description:
    'Renders a certificate or a sample, marked as a test, and stores nothing. `look` is tried instead of the stored settings. Without `receiver`, the receivers that the certificate names decide.',
  scope: [{ resource: 'certificates', action: 'render_one' }],
  memberRole: 'read_only',
  query: Type.Object({ ...ReceiverQuery, type: oneOf(['html', 'pdf']) }),
  body: { kind: 'json', schema: PreviewLook },
  answer: { kind: 'content', status: 200, types: ['application/pdf', 'text/html'] },
  errors: ['certificate_invalid', 'schema_unknown', 'file_too_costly'],
  idempotency: 'repeatable',
})
